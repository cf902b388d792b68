/** The lights of the mask colour its dots alone, on the screen, in every engine. */
import sharp from 'sharp';
import { expect, inject } from 'vitest';
import { pagePaths } from '../../../contract/paths.ts';
import { type EnginePage, waitInPage } from '../../support/engines/engine-page.ts';
import { testInEngines } from '../../support/engines/launch-engine.ts';

const DESKTOP = { width: 1440, height: 900 };
/** Shares of the picture's box. Beside the chin there are no dots. */
const CHEEK = [0.3, 0.6] as const;
const BESIDE_CHIN = [0.05, 0.8] as const;

const FULL_LIGHT_MS = 165;

/** Keeps the picture with its light in view when the turning mask would take its place. */
async function showStill(page: EnginePage): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '.turning-mask { display: none } .is-turning > * { visibility: visible !important }',
    );
    document.adoptedStyleSheets.push(sheet);
  });
}

/** Slows the charge sweep to a stand where it lights the cheek, still an animation. */
async function holdSweep(page: EnginePage): Promise<void> {
  await page.evaluate((at) => {
    const sweep = document.querySelector('.charge-sweep');
    // A new element starts its animation anew.
    const again = sweep?.cloneNode() as Element;
    sweep?.replaceWith(again);
    const [running] = again.getAnimations({ subtree: true });
    if (!running) throw new Error('The mask is not swept.');
    running.playbackRate = 0.001;
    running.currentTime = at;
  }, FULL_LIGHT_MS);
}

async function colourAt(page: EnginePage, across: number, down: number): Promise<number[]> {
  const at = await page.evaluate(
    (x, y) => {
      const box = document.querySelector('#mask')?.getBoundingClientRect() ?? new DOMRect();
      return { left: box.left + box.width * x, top: box.top + box.height * y };
    },
    across,
    down,
  );
  const [left, top] = [Math.round(at.left) - 12, Math.round(at.top) - 12];
  const square = { left, top, width: 24, height: 24 };
  const cut = await sharp(await page.screenshot())
    .extract(square)
    .png()
    .toBuffer();
  const { channels } = await sharp(cut).stats();
  return channels.slice(0, 3).map(({ mean }) => Math.round(mean));
}

testInEngines(
  'the sweep is green on the cheek, and dark beside it',
  async (page) => {
    await page.resize(DESKTOP);
    await page.open(inject('siteUrl') + pagePaths.landing);
    await waitInPage(page, () => document.querySelector('.charge-sweep') !== null);
    await showStill(page);
    await holdSweep(page);
    // The green of the light is 1.8 times its red, and that of an unlit dot 1.02 times.
    const greenOnCheek = async () => {
      const [red = 0, green = 0] = await colourAt(page, ...CHEEK);
      return green / red;
    };
    await expect.poll(greenOnCheek).toBeGreaterThan(1.3);
    const besideChin = async () => Math.max(...(await colourAt(page, ...BESIDE_CHIN)));
    await expect.poll(besideChin).toBeLessThan(30);
  },
  { isMoving: true },
);

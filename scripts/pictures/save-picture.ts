import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { isOld, writePicture } from './picture-sources.ts';

const MAX_BYTES = 150_000;

export type Screen = {
  readonly name: 'phone' | 'desk';
  readonly viewport: { readonly width: number; readonly height: number };
  readonly deviceScaleFactor: number;
  /** The width of the picture in pixels. */
  readonly width: number;
};

export const SCREENS = [
  { name: 'phone', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, width: 585 },
  { name: 'desk', viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1, width: 1440 },
] as const satisfies readonly Screen[];

/** Skips an unchanged page, because its codes and faces are random. Throws if too large. */
export async function saveScreenshot(
  page: Page,
  label: string,
  { name, width }: Pick<Screen, 'name' | 'width'>,
): Promise<void> {
  const picture = `${label}-${name}.webp`;
  if (!isOld(picture)) return;
  await page.evaluate(() => document.fonts.ready);
  const image = sharp(await page.screenshot())
    .resize({ width })
    .webp({ quality: 82 });
  const size = await writePicture(picture, image, MAX_BYTES);
  console.log(`${label} on a ${name}: ${Math.round(size / 1000)} kB`);
}

const MAX_MOVING_BYTES = 1_000_000;
const MIN_FRAME_MS = 60;
/** The last frame stands before the picture begins anew. */
const REST_MS = 2_500;

type Frame = { readonly picture: Buffer; readonly at: number };

/** Saves the frames that the browser paints while `act` runs. Throws if they are too many bytes. */
export async function saveMovingPicture(
  page: Page,
  picture: string,
  act: () => Promise<void>,
): Promise<void> {
  const frames: Frame[] = [];
  const devTools = await page.context().newCDPSession(page);
  devTools.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const at = (metadata.timestamp ?? 0) * 1000;
    const isDue = at - (frames.at(-1)?.at ?? 0) >= MIN_FRAME_MS;
    if (isDue) frames.push({ picture: Buffer.from(data, 'base64'), at });
    void devTools.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  });
  await devTools.send('Page.startScreencast', { format: 'png' });
  await act();
  await devTools.send('Page.stopScreencast');
  const delay = frames.map(({ at }, index) =>
    Math.round((frames[index + 1]?.at ?? at + REST_MS) - at),
  );
  const image = sharp(
    frames.map((frame) => frame.picture),
    { join: { animated: true } },
  ).webp({ quality: 84, effort: 5, delay, loop: 0 });
  const size = await writePicture(picture, image, MAX_MOVING_BYTES);
  console.log(`${picture}: ${frames.length} frames, ${Math.round(size / 1000)} kB`);
}

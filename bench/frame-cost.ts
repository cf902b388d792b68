/**
 * `npm run bench:frames [-- origin]`: what a frame of the pointer light costs the main thread, on the landing page of a running
 * server, at full speed and at a quarter of it. The light is to stay within 4 ms a frame (16.7 ms are there at 60 Hz).
 */
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { findChromium } from '../scripts/chromium.ts';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const STROKES = 240;
const SLOWDOWNS = [1, 4];

type Frames = { readonly [column: string]: number };

declare global {
  interface Window {
    /** Animation frames that the page asked for. */
    askedFrames: number;
  }
}

const origin = process.argv[2] ?? 'http://127.0.0.1:3000';
const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: FLAGS });
try {
  const rows: Record<string, Frames> = {};
  for (const slowdown of SLOWDOWNS) {
    for (const isLit of [true, false]) {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        reducedMotion: isLit ? 'no-preference' : 'reduce',
      });
      rows[`${slowdown}x slower, ${isLit ? 'lit' : 'unlit'}`] = await measure(context, slowdown);
      await context.close();
    }
  }
  console.table(rows);
} finally {
  await browser.close();
}

async function measure(context: BrowserContext, slowdown: number): Promise<Frames> {
  await context.addInitScript(() => {
    window.askedFrames = 0;
    const { requestAnimationFrame } = window;
    window.requestAnimationFrame = (run) => {
      window.askedFrames += 1;
      return requestAnimationFrame(run);
    };
  });
  const page = await context.newPage();
  await page.goto(origin);
  await page.locator('#mask').waitFor();
  // Until the charge has passed down the mask and the page is at rest.
  await page.waitForTimeout(3000);
  const tools = await context.newCDPSession(page);
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.evaluate(() => {
    window.askedFrames = 0;
  });
  const before = await readCost(tools);
  await strokeMask(page);
  const after = await readCost(tools);
  const frames = await page.evaluate(() => window.askedFrames);
  const perMove = (ms: number) => round(ms / STROKES);
  const perFrame = (ms: number) => (frames === 0 ? 0 : round(ms / frames));
  return {
    frames,
    'script, ms a frame': perFrame(after.scriptMs - before.scriptMs),
    'all work of the main thread, ms a frame': perFrame(after.busyMs - before.busyMs),
    'the same, ms a pointer move': perMove(after.busyMs - before.busyMs),
  };
}

/** To and fro over the face, at 60 moves a second. */
async function strokeMask(page: Page): Promise<void> {
  const box = await page.locator('#mask').boundingBox();
  if (!box) throw new Error('The mask has no box.');
  for (let step = 0; step < STROKES; step += 1) {
    const turn = (step / STROKES) * 8 * Math.PI;
    await page.mouse.move(
      box.x + box.width * (0.5 + 0.4 * Math.sin(turn)),
      box.y + Math.min(box.height, 600) * (0.5 + 0.4 * Math.sin(turn * 0.37)),
    );
    await page.waitForTimeout(16);
  }
}

/** Time on the processor, so that a busy machine changes nothing. */
async function readCost(tools: CDPSession): Promise<{ scriptMs: number; busyMs: number }> {
  const { metrics } = await tools.send('Performance.getMetrics');
  const msOf = (wanted: string) => 1000 * (metrics.find(({ name }) => name === wanted)?.value ?? 0);
  return { scriptMs: msOf('ScriptDuration'), busyMs: msOf('TaskDuration') };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

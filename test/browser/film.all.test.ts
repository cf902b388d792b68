/** The film of a member, recorded by a real browser. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fillPath, pagePaths } from '../../contract/paths.ts';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { joinLine } from '../support/browser-line.ts';

const browser = openTestBrowser();
const folder = mkdtempSync(join(tmpdir(), 'film-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** As many a second are compared; a busy machine draws fewer than it could. */
const COMPARED_A_SECOND = 5;
const SECONDS = 6;
const RECORDING_MS = 60_000;

test('a film is six seconds of portrait in which the face moves', { timeout: 90_000 }, async () => {
  const { page } = await browser.visit({ hasRunningClock: true });
  await page.goto(fillPath(pagePaths.film, (await joinLine()).id));
  await page.getByRole('button', { name: 'Record' }).click();
  const link = page.getByRole('link', { name: 'Save' });
  await link.waitFor({ timeout: RECORDING_MS });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toMatch(/^[a-z-]+\.(mp4|webm)$/);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  const bytes = readFileSync(path);
  const isMp4 = bytes.toString('latin1', 4, 8) === 'ftyp';
  expect(isMp4 || bytes.readUInt32BE(0) === 0x1a45dfa3).toBe(true);
  expect(bytes.length).toBeLessThan(8_000_000);
  const probe = measure(path);
  if (probe === null) return;
  expect([probe.width, probe.height]).toEqual([720, 1280]);
  expect(probe.seconds).toBeGreaterThan(SECONDS - 1);
  expect(probe.seconds).toBeLessThan(SECONDS + 1.5);
  // The words stand still at the end.
  expect(probe.differing).toBeGreaterThan((SECONDS - 3) * COMPARED_A_SECOND);
});

test('the page of a film is for everybody', async () => {
  const { page } = await browser.visit();
  await page.goto(fillPath(pagePaths.film, (await joinLine()).id));
  await page.getByRole('button', { name: 'Record' }).waitFor();
  await expectAccessiblePage(page);
});

test('an unknown member has no film', async () => {
  const { page, expectNoise } = await browser.visit();
  expectNoise(/404/);
  await page.goto(fillPath(pagePaths.film, '00000000-0000-4000-8000-000000000000'));
  await page.getByText('Your film did not load.').waitFor();
  await page.getByRole('button', { name: 'Record' }).waitFor({ state: 'hidden' });
});

/** Null without ffmpeg, which only some machines have. */
function measure(path: string) {
  const run = (program: string, ...options: string[]) =>
    execFileSync(program, ['-v', 'error', ...options], { maxBuffer: 2 ** 28 });
  try {
    run('ffprobe', '-version');
  } catch {
    return null;
  }
  const stream = [
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=width,height',
    '-of',
    'csv=p=0',
  ];
  const [width, height] = `${run('ffprobe', ...stream, path)}`.split(',').map(Number);
  const times = `${run('ffprobe', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path)}`;
  const seconds = Math.max(...times.split('\n').map((line) => Number.parseFloat(line) || 0));
  const filter = `fps=${COMPARED_A_SECOND},scale=90:160,format=gray`;
  const frames = run('ffmpeg', '-i', path, '-vf', filter, '-f', 'rawvideo', '-');
  const size = 90 * 160;
  const all = Array.from({ length: frames.length / size }, (_, index) =>
    frames.subarray(index * size, (index + 1) * size).toString('latin1'),
  );
  return { width, height, seconds, differing: new Set(all).size };
}

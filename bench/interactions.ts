/** Time from a click to the next frame (INP), on a slowed-down processor. */
import type { Browser, Page } from 'playwright-core';
import { pagePaths } from '../contract/paths.ts';

const CPU_SLOWDOWN = 4;
/** Event timing has no shorter durations, and counts in steps of 8 ms. */
const MIN_DURATION_MS = 16;

export type Interactions = Readonly<Record<'join' | 'copy' | 'toggle', number>>;

declare global {
  interface Window {
    /** Milliseconds from each input of the page to the next frame. */
    eventDurations: number[];
  }
}

/** One visitor's clicks, each in ms. Joins with `email`. */
export async function measureInteractions(
  browser: Browser,
  origin: string,
  email: string,
): Promise<Interactions> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 390, height: 844 },
    permissions: ['clipboard-write'],
  });
  await context.addInitScript(watchEvents);
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.goto(pagePaths.landing(), { waitUntil: 'networkidle' });
  const toggle = await measureClick(page, 'Music');
  await page.getByLabel('Email').fill(email);
  const join = await measureClick(page, 'SECURE YOUR SPOT');
  await page.getByRole('button', { name: 'Copy invite link' }).waitFor();
  await page.waitForLoadState('networkidle');
  const copy = await measureClick(page, 'Copy invite link');
  await context.close();
  return { join, copy, toggle };
}

/** Runs in the page. */
function watchEvents(): void {
  window.eventDurations = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.eventDurations.push(duration);
  });
  const options = { type: 'event', durationThreshold: 16, buffered: true };
  observer.observe(options as PerformanceObserverInit);
}

async function measureClick(page: Page, name: string): Promise<number> {
  await page.evaluate(() => {
    window.eventDurations = [];
  });
  await page.getByRole('button', { name }).click();
  await page.waitForTimeout(1000);
  const durations = await page.evaluate(() => window.eventDurations);
  return Math.max(MIN_DURATION_MS, ...durations);
}

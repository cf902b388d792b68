/** How long the page takes to show the next frame after the clicks that matter (INP), with the processor slowed down. */
import type { Browser, Page } from 'playwright-core';
import { pagePaths } from '../contract/paths.ts';

const CPU_SLOWDOWN = 4;

export type Interaction = 'join' | 'copy' | 'toggle';

declare global {
  interface Window {
    /** Milliseconds from each input of the page to the frame that follows it. */
    eventDurations: number[];
  }
}

/** One visitor's clicks, each in ms. `email` joins. */
export async function measureInteractions(
  browser: Browser,
  origin: string,
  email: string,
): Promise<Record<Interaction, number>> {
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

/** Event timing tells durations from 16 ms up in steps of 8; what is shorter counts as 16. */
function watchEvents(): void {
  window.eventDurations = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.eventDurations.push(duration);
  });
  observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

async function measureClick(page: Page, name: string): Promise<number> {
  await page.evaluate(() => {
    window.eventDurations = [];
  });
  await page.getByRole('button', { name }).click();
  await page.waitForTimeout(1000);
  return page.evaluate(() => Math.max(16, ...window.eventDurations));
}

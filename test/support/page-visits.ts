/** Steps that page states share: to reach one, and the join form. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PHONE, type Visitor } from './browser.ts';
import { answerCall, MEMBER, NO_STREAM } from './browser-api.ts';
import { leaveToServer } from './paused-calls.ts';

export type PageState = {
  readonly name: string;
  readonly reach: (visitor: Visitor) => Promise<void>;
};

type Walk = {
  /** Size of the window in pixels; a phone by default. */
  readonly viewport?: { readonly width: number; readonly height: number };
};

/**
 * Reaches one state after the other in one visit, and looks at each: a page costs twice as much in
 * a new process. Names every state that failed.
 */
export async function lookAtEach(
  visitor: Visitor,
  states: readonly PageState[],
  look: (state: PageState) => Promise<void>,
  { viewport = PHONE }: Walk = {},
): Promise<void> {
  expect(states.length).toBeGreaterThan(1);
  const failures: string[] = [];
  for (const state of states) {
    try {
      await state.reach(visitor);
      await look(state);
    } catch (error) {
      failures.push(`${state.name}: ${error instanceof Error ? error.message : error}`);
    }
    await leave(visitor.page, viewport);
  }
  expect(failures).toEqual([]);
}

/** Advances the clock: a call may be under way when it is due, and the next brings the text. */
export async function runUntilShown(page: Page, text: string): Promise<void> {
  const shown = page.getByText(text).first();
  while (!(await shown.isVisible())) await page.clock.runFor(1000);
}

/** Leaves nothing of a state for the next one but the time. */
async function leave(page: Page, viewport: Required<Walk>['viewport']): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  // A page that is still open would call the server, and a link to itself would not load it again.
  await page.goto('about:blank');
  leaveToServer(page);
  await answerCall(page, 'live', NO_STREAM);
  await page.context().clearCookies();
  await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'none' });
  await page.setViewportSize(viewport);
}

export const submit = (page: Page, name: string) => page.getByRole('button', { name }).click();

export async function join(page: Page, name: string): Promise<void> {
  await page.getByLabel('Email').fill(MEMBER.email);
  await submit(page, name);
}

/** A visitor of the console with the operator's token, which scripts send, and its ways. */
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import type { TestBrowser, Visitor } from './browser.ts';
import { callAs } from './operator-call.ts';

type Options = Parameters<TestBrowser['visit']>[0];

/** Calls of the page carry the token, so that it is signed in. */
export function visitConsole(browser: TestBrowser, options?: Options): Promise<Visitor> {
  // A route would do so too, but browsers cache nothing beside one.
  return browser.visit({ hasRunningClock: true, extraHTTPHeaders: tokenHeader(), ...options });
}

/** Follows a link of the console to a path below /console: the document stays. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), `/console${path}`);
}

/** A sequence of shortcuts has a time limit, so no key waits until the page has taken the last. */
export async function pressInTurn(page: Page, ...keys: string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}

/** Calls the operator's API of the visited site. Throws its refusal. */
export function callOperator<T>(path: string, body?: unknown, method = 'POST'): Promise<T> {
  return callAs<T>(inject('operatorToken'), inject('siteUrl') + path, body, method);
}

function tokenHeader(): { authorization: string } {
  return { authorization: `Bearer ${inject('operatorToken')}` };
}

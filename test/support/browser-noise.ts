/**
 * Noise: console errors and warnings, script errors, failed requests, requests to other origins.
 */
import type { BrowserContext } from 'playwright-core';

export type Noise = {
  /** Names noise that must occur. */
  expect(pattern: RegExp): void;
  /** Names noise that may occur. */
  allow(pattern: RegExp): void;
  /** Noise that was not expected, and expected noise that did not occur. */
  unexpected(): string[];
};

export function watchNoise(context: BrowserContext, origin: string): Noise {
  const heard: string[] = [];
  const expected: RegExp[] = [];
  const allowed: RegExp[] = [];

  context.on('console', (message) => {
    const type = message.type();
    if (type === 'error' || type === 'warning') heard.push(`console ${type}: ${message.text()}`);
  });
  context.on('weberror', (error) => heard.push(`script error: ${error.error()}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    const isOwn = url.origin === origin || url.protocol === 'data:' || url.protocol === 'blob:';
    if (!isOwn) heard.push(`request to another origin: ${url}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // Cancelled by the page itself: it was left, or the player has enough of a file.
    if (reason !== 'net::ERR_ABORTED') heard.push(`failed: ${request.url()} ${reason}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) heard.push(`answer ${response.status()}: ${response.url()}`);
  });

  return {
    expect: (pattern) => expected.push(pattern),
    allow: (pattern) => allowed.push(pattern),
    unexpected: () => [
      ...heard.filter((line) => ![...expected, ...allowed].some((pattern) => pattern.test(line))),
      ...expected
        .filter((pattern) => !heard.some((line) => pattern.test(line)))
        .map((pattern) => `never: ${pattern}`),
    ],
  };
}

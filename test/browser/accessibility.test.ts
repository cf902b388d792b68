/** Every state of every page: axe finds nothing, and it fits from 320 px up. */
import { expect, inject, test } from 'vitest';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser } from '../support/browser.ts';
import { pageStates } from '../support/page-states.ts';
import { lookAtEach } from '../support/page-visits.ts';
import { isFull } from '../support/short-form.ts';

const browser = openTestBrowser();

/** States whose markup equals that of a state that is tried. */
const ALIKE = [
  'landing with an address that is in line',
  'landing with a join that failed',
  'invite with a refusal',
  'invite while joining',
  'invite while a proof is made',
  'invite with a join that failed',
  'status deep in the line',
  'status of somebody who has just joined',
  'status with a copied link',
];

const states = pageStates.filter(({ name }) => isFull || !ALIKE.includes(name));

test('every state is accessible, fits every width, and differs from every other', async () => {
  const visitor = await browser.visit({
    baseURL: inject('strictSiteUrl'),
    permissions: ['clipboard-write'],
  });
  /** Accessibility trees found so far. */
  const found = new Set<string>();
  await lookAtEach(visitor, states, async ({ name }) => {
    found.add(await visitor.page.locator('body').ariaSnapshot());
    await expectAccessiblePage(visitor.page, name);
  });
  expect(found.size).toBe(states.length);
  expect(found.size).toBeGreaterThanOrEqual(24);
});

/** A visitor's steps on the site, in any engine. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { fillPath, mailPagePaths, pagePaths } from '../../../contract/paths.ts';
import { type LinkOwner, tokenOf } from '../mail-page-states.ts';
import { noteStates, readNoted, takeToast } from '../passing-states.ts';
import { type EnginePage, waitForText, waitInPage } from './engine-page.ts';
import type { WatchedSite } from './watched-site.ts';

export type Visit = {
  readonly page: EnginePage;
  readonly site: WatchedSite;
  /** Known from the step that joins. */
  memberId: string;
};

type Step = { readonly name: string; readonly run: (visit: Visit) => Promise<void> };

const EMAIL = 'input[type="email"]';
const SUBMIT = 'button[type="submit"]';
const MUSIC = '[data-music-toggle]';

/** Presses the button with this text, in capitals or not. */
async function press(page: EnginePage, text: string): Promise<void> {
  await page.evaluate((wanted) => {
    for (const old of document.querySelectorAll('[data-pressed]'))
      old.removeAttribute('data-pressed');
    const found = [...document.querySelectorAll('button')].find(
      ({ innerText }) => innerText.trim().toLowerCase() === wanted,
    );
    if (!found) throw new Error(`There is no button ${wanted}.`);
    found.setAttribute('data-pressed', '');
    found.scrollIntoView({ block: 'center' });
  }, text.toLowerCase());
  await page.click('[data-pressed]');
}

/** Waits until this toast has come, and closes what is left of it, so that it covers nothing. */
async function takeAndCloseToast(page: EnginePage, title: string): Promise<void> {
  await takeToast(page, title);
  await waitInPage(page, () => {
    document.querySelector<HTMLElement>('.toast-close')?.click();
    return document.querySelector('.toast') === null;
  });
}

/** Before hydration the server answers forms. */
async function becomeLive(page: EnginePage): Promise<void> {
  await waitInPage(page, () =>
    Object.keys(document.querySelector('form') ?? {}).some((key) => key.startsWith('__react')),
  );
  await noteStates(page);
}

async function joinHere(page: EnginePage): Promise<string> {
  await waitInPage(page, (field) => document.querySelector(field) !== null, EMAIL);
  await page.type(EMAIL, `ghost-${randomUUID()}@example.com`);
  await page.click(SUBMIT);
  await waitForText(page, 'in line');
  const path = await page.evaluate(() => location.pathname);
  return path.split('/').at(-1) ?? '';
}

const linkOwner = ({ memberId, site }: Visit): LinkOwner => ({
  id: memberId,
  secretKey: site.secretKey,
});

export const JOURNEY: readonly Step[] = [
  {
    name: 'Refuse an empty join in a toast and under the field',
    async run({ page, site }) {
      await page.open(site.url + pagePaths.landing);
      await waitForText(page, 'SECURE YOUR SPOT');
      await becomeLive(page);
      await page.click(SUBMIT);
      await waitForText(page, 'Please enter your email to join the waitlist.');
      await takeAndCloseToast(page, 'Email required');
    },
  },
  {
    name: 'Join, and see the position',
    async run(visit) {
      visit.memberId = await joinHere(visit.page);
      await takeAndCloseToast(visit.page, 'Welcome to the Ghost Code Network!');
    },
  },
  {
    name: 'Copy the invite link',
    async run({ page }) {
      await page.click('.copy-button');
      await expect.poll(() => readNoted(page, '[data-copied="true"]')).not.toEqual([]);
      await takeAndCloseToast(page, 'Link copied!');
    },
  },
  {
    name: 'Share, where the device cannot: the link is copied',
    async run({ page }) {
      await press(page, 'Share & Climb the Ranks');
      await takeAndCloseToast(page, 'Link copied!');
    },
  },
  {
    name: 'Join by the invite link',
    async run({ page }) {
      const link = await page.evaluate(
        () => document.querySelector<HTMLInputElement>('input[readonly]')?.value ?? '',
      );
      await page.open(link);
      await waitForText(page, 'Exclusive Invite');
      await joinHere(page);
    },
  },
  {
    name: 'Turn music on and off',
    async run({ page, site }) {
      // It would begin by itself, and a late press would turn it off.
      await page.evaluate(() => sessionStorage.setItem('waitlist.music-muted', 'yes'));
      await page.open(site.url + pagePaths.landing);
      const isPressed = (wanted: string) =>
        waitInPage(
          page,
          (toggle, value) => document.querySelector(toggle)?.getAttribute('aria-pressed') === value,
          MUSIC,
          wanted,
        );
      await becomeLive(page);
      await page.click(MUSIC);
      await isPressed('true');
      await page.click(MUSIC);
      await isPressed('false');
    },
  },
  {
    name: 'Confirm the place, and stop mail, from a mail',
    async run(visit) {
      const { page, site } = visit;
      await page.open(
        site.url + fillPath(mailPagePaths.confirm, tokenOf(linkOwner(visit), 'confirm')),
      );
      await waitForText(page, 'Confirm your place');
      await press(page, 'Confirm my place');
      await waitForText(page, 'Your place is confirmed');
      const token = tokenOf(linkOwner(visit), 'preferences');
      await page.open(site.url + fillPath(mailPagePaths.preferences, token));
      await press(page, 'Stop all mail');
      await waitForText(page, 'Turn mail on again');
    },
  },
];

/** Goes all the way, and returns what each step failed with, or null. It ends at a failure. */
export async function travel(visit: Visit): Promise<ReadonlyMap<string, string | null>> {
  const outcomes = new Map<string, string | null>();
  for (const { name, run } of JOURNEY) {
    try {
      await run(visit);
      outcomes.set(name, null);
    } catch (error) {
      outcomes.set(name, String(error));
      break;
    }
  }
  return outcomes;
}

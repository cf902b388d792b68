/** The page of a member with the pass of a drop, from a real server, for `npm run screenshots`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { saveScreenshot } from './save-screenshot.ts';

type PassShoot = {
  readonly url: string;
  readonly dataDir: string;
  /** Gets a mask by rank. */
  readonly chosen: { readonly email: string };
  /** A page of the site for each screen, without the toasts about music. */
  readonly pages: readonly {
    readonly page: Page;
    readonly screen: Parameters<typeof saveScreenshot>[2];
  }[];
};

const MASKS = 100;
const ENTRANTS = 500;
const SETTLE_MS = 3_500;
const MAIL_POLL_MS = 500;

export async function shootPass({ url, dataDir, chosen, pages }: PassShoot): Promise<void> {
  const token = readFileSync(join(dataDir, 'operator-token'), 'utf8').trim();

  async function change(kind: string, input: object): Promise<void> {
    const response = await fetch(url + operatorPaths.changes, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind, input, reason: 'pictures' }),
    });
    if (!response.ok) throw new Error(`${kind}: ${response.status} ${await response.text()}`);
  }

  await change('freeze-drop', { first: ENTRANTS });
  await change('announce-draw', { by_rank: MASKS, drawn_among: 0, source: 'none' });
  await change('select-entrants', {});
  await change('start-offers', { minutes: 720, time_zone: 'UTC' });
  const link = await findLink(join(dataDir, 'mail'), chosen.email);
  for (const [index, { page, screen }] of pages.entries()) {
    await page.goto(link, { waitUntil: 'load' });
    if (index === 0) await page.getByRole('button', { name: /^Accept/ }).click();
    await page.getByRole('button', { name: 'Copy the code' }).waitFor();
    await page.waitForTimeout(SETTLE_MS);
    await saveScreenshot(page, 'drop-pass', screen);
  }
}

/** The path of the link in the mail that offers the mask, once it was sent. */
async function findLink(folder: string, email: string): Promise<string> {
  for (;;) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const name of files.filter((file) => file.endsWith('.eml'))) {
      const mail = await PostalMime.parse(readFileSync(join(folder, name)));
      const [link] = /https?:\S+#offer=[\w.-]+/.exec(mail.text ?? '') ?? [];
      if (link !== undefined && mail.to?.[0]?.address === email) {
        const { pathname, hash } = new URL(link);
        return pathname + hash;
      }
    }
    await pause(MAIL_POLL_MS);
  }
}

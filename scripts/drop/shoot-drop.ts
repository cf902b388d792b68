/** The page of a member at each step of a drop, from a real server, for `npm run screenshots`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { brand } from '../../brand/brand.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { pagePaths } from '../../contract/paths.ts';
import { saveScreenshot } from '../save-screenshot.ts';

type DropShoot = {
  readonly url: string;
  readonly dataDir: string;
  /** Gets a mask by rank. */
  readonly chosen: { readonly id: string; readonly email: string };
  /** Is on the frozen list, and gets none. */
  readonly other: { readonly id: string };
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

export async function shootDrop({ url, dataDir, chosen, other, pages }: DropShoot): Promise<void> {
  const token = readFileSync(join(dataDir, 'operator-token'), 'utf8').trim();

  async function change(kind: string, input: object): Promise<void> {
    const response = await fetch(url + operatorPaths.changes, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind, input, reason: 'pictures' }),
    });
    if (!response.ok) throw new Error(`${kind}: ${response.status} ${await response.text()}`);
  }

  /** `act` is done on the first page alone. */
  async function shoot(
    label: string,
    path: string,
    heading: string | RegExp,
    act = async (_page: Page, _isFirst: boolean) => {},
  ): Promise<void> {
    for (const [index, { page, screen }] of pages.entries()) {
      // Another fragment alone would not load the page again.
      await page.goto('about:blank');
      await page.goto(path, { waitUntil: 'load' });
      await act(page, index === 0);
      await page.getByRole('heading', { name: heading }).first().waitFor();
      await page.waitForTimeout(SETTLE_MS);
      await saveScreenshot(page, label, screen);
    }
  }

  const status = pagePaths.status(chosen.id);
  await change('freeze-drop', { first: ENTRANTS });
  await shoot('drop-frozen', status, 'The order is fixed');
  await change('announce-draw', { by_rank: MASKS, drawn_among: 0, source: 'none' });
  await change('select-entrants', {});
  await shoot('drop-chosen', status, 'You are chosen');
  await shoot('drop-not-chosen', pagePaths.status(other.id), 'Not chosen yet');
  await change('start-offers', { minutes: 720, time_zone: 'UTC' });
  const inLine = new RegExp(`^${brand.specified.memberName} #`);
  const link = await findLink(join(dataDir, 'mail'), chosen.email);
  await shoot('drop-offered', link, /is yours/i);
  await shoot('drop-pass', link, inLine, async (page, isFirst) => {
    if (isFirst) await page.getByRole('button', { name: /^Accept/ }).click();
    await page.getByRole('button', { name: 'Copy the code' }).waitFor();
  });
  await change('close-drop', {});
  await shoot('drop-over', pagePaths.status(other.id), 'This drop is over');
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

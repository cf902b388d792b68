/** Screenshots of the pages as they are in each state of the drop. */
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { pagePaths } from '../../contract/paths.ts';
import { CHROMIUM_FLAGS, ensureChromium } from '../../scripts/chromium.ts';
import type { OfferRow } from './rehearsal-store.ts';

export type Pictures = {
  readonly names: readonly string[];
  /** The landing page, a member without an offer, and one in each state of an offer. */
  take(
    state: string,
    of: { readonly offers: readonly OfferRow[]; readonly memberIds: readonly string[] },
  ): Promise<void>;
  close(): Promise<void>;
};

const PHONE = { width: 390, height: 844 };
/** Until fonts are there and what moves has come to rest. */
const SETTLE_MS = 1500;

export async function openPictures(url: string, folder: string): Promise<Pictures> {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_FLAGS });
  const page = await browser.newPage({ viewport: PHONE, isMobile: true, hasTouch: true });
  const names: string[] = [];
  return {
    names,
    async take(state, { offers, memberIds }) {
      await takeOne(page, { url: url + pagePaths.landing(), name: `${state}-landing` });
      const offered = new Set(offers.map((offer) => offer.member_id));
      const other = memberIds.find((id) => !offered.has(id)) ?? '';
      await takeOne(page, { url: url + pagePaths.status(other), name: `${state}-member` });
      for (const offerState of new Set(offers.map((offer) => offer.state))) {
        const member = offers.find((offer) => offer.state === offerState)?.member_id ?? '';
        const name = `${state}-member-${offerState}`;
        await takeOne(page, { url: url + pagePaths.status(member), name });
      }
    },
    close: () => browser.close(),
  };

  async function takeOne(on: Page, { url: address, name }: { url: string; name: string }) {
    await on.goto(address);
    await on.waitForTimeout(SETTLE_MS);
    await on.screenshot({ path: join(folder, `${name}.png`) });
    names.push(`${name}.png`);
  }
}

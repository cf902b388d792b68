import { describe, expect, test } from 'vitest';
import {
  hashAnnouncement,
  hashHex,
  hashList,
  ticketOf,
} from '../../contract/drop/draw-hash-rules.ts';
import { drawOrder } from '../../contract/drop/draw-order-rules.ts';
import type { Announcement, DrawRecord } from '../../contract/drop/draw-record.ts';
import type { GivenView } from '../../contract/drop/drop-views.ts';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import { paintPath } from '../../web/ui/coarse-paint.ts';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser, type Visitor } from '../support/browser.ts';
import { answerCall } from '../support/browser-api.ts';
import { answerPath } from '../support/paused-calls.ts';

const browser = openTestBrowser();

/** 60 ms for each of the 30 masks. */
const SHOW_MS = 1800;
const MASKS = 30;
const SALT = '00112233445566778899aabbccddeeff';
const SIGNATURE =
  'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125' +
  'e342b73a8dd2bacbe47e4b6b63ed5e39';
const idOf = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;

function makeRecord(): DrawRecord {
  const entrants = Array.from({ length: 300 }, (_, index) => ({
    position: index + 1,
    ticket: ticketOf(SALT, idOf(index + 1)),
    points: 0,
    weight: 2 + (index % 4),
    sizes: ['Small'],
    takes_any: true,
  }));
  const head = { version: 2 as const, number: 7, frozen_at: '2023-08-23T15:50:00.000Z' };
  const list = { ...head, salt: SALT, entrants };
  const announcement: Announcement = {
    number: 7,
    list_hash: hashList(list),
    masks: [
      { size: 'Small', masks: 20 },
      { size: 'Large', masks: 10 },
    ],
    by_rank: 10,
    drawn_among: 300,
    randomness: { source: 'quicknet', round: 1000 },
    announced_at: '2023-08-23T15:55:00.000Z',
  };
  return {
    ...list,
    list_hash: announcement.list_hash,
    announcement,
    announcement_hash: hashAnnouncement(announcement),
    evidence: SIGNATURE,
    order: drawOrder(entrants, announcement, hashHex(SIGNATURE)),
  };
}

async function openDraw({ page }: Visitor, record: DrawRecord | null, query = ''): Promise<void> {
  await answerCall(page, 'drop', { json: { number: 7 } });
  answerPath(page, fillPath(apiPaths.draw, 7), () =>
    record === null ? { status: 404, json: { detail: 'not frozen' } } : { json: record },
  );
  answerPath(page, fillPath(apiPaths.given, 7), () => ({ json: given }));
  await page.goto(pagePaths.draw + query);
}

function makeGiven(open: number): GivenView {
  const small = { size: 'Small', announced: 20, given: 19, declined: 1, expired: 2, cancelled: 0 };
  const masks = [{ size: 'Small', masks: 19 }];
  const torn = { amended_at: '2023-08-23T16:00:00.000Z', masks, reason: 'One was torn.' };
  return { sizes: [{ ...small, open, passes: 4 }], amendments: [torn] };
}
let given = makeGiven(3);

describe('the draw', () => {
  test('is worked out in the browser, and shows members where they stand', async () => {
    const visitor = await browser.visit();
    const record = makeRecord();
    await openDraw(visitor, record);
    const { page } = visitor;
    await page.getByText('Your browser worked out the same 30 names.').waitFor();
    await page.getByText('To be sure nothing was swapped, paste the hash').waitFor();
    await page.getByRole('link', { name: 'Find my ticket' }).click();
    await expect.poll(() => page.locator(':target').getAttribute('id')).toBe('draw-id');
    await page.getByText('23 Aug 2023, 15:55 UTC', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.draw-masks svg[data-lit]').count()).toBe(30);
    const first = record.entrants.find(({ position }) => position === record.order?.[0]?.position);
    await expect
      .poll(() => page.locator('.draw-masks path').first().getAttribute('d'))
      .toBe(paintPath(first?.ticket.slice(0, 11) ?? '', 0, 0));
    await expect.poll(() => page.getByRole('button', { name: /Skip|again/ }).count()).toBe(0);
    const exact = page.getByText('2023-08-23T15:55:00.000Z', { exact: true });
    await expect.poll(() => exact.isVisible()).toBe(false);
    await page.getByText('Hashes, and a hash that you noted').click();
    await exact.waitFor();
    const noted = page.getByLabel('A hash that you noted, or that a mail has');
    await noted.fill(record.announcement_hash ?? '');
    await noted.press('Enter');
    await page.getByText('It has the hash that you noted.').waitFor();
    await noted.fill('ab'.repeat(32));
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('This draw is NOT as it was announced:').waitFor();
    await page.getByText(/^Neither list nor announcement has the hash abab/).waitFor();
    await page.getByText(record.announcement_hash ?? '', { exact: true }).waitFor();
    const field = page.getByLabel('The address of your page, or your member id');
    await field.fill(`https://line.example.com/thank-you/${idOf(1)}`);
    await page.getByRole('button', { name: 'Find my ticket' }).click();
    await page.getByText('yes, size Small').waitFor();
    await page.getByText('1 ticket', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.draw-masks svg[data-own]').count()).toBe(1);
    await page.getByText('Your ticket in digits').click();
    await page.getByText(ticketOf(SALT, idOf(1)), { exact: true }).waitFor();
    const drawn = record.order?.[12]?.position ?? 0;
    await field.fill(idOf(drawn));
    await field.press('Enter');
    await page.getByText('Cut-off: the last chosen').waitFor();
    await field.fill('ghost@example.com');
    await field.press('Enter');
    await page.getByText('There is no member id in it.').waitFor();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await expectAccessiblePage(page);
  });

  test('counts live what was given, and compares the hash of a mail', async () => {
    const visitor = await browser.visit();
    const { page } = visitor;
    given = makeGiven(3);
    await page.clock.install();
    const record = makeRecord();
    await openDraw(visitor, record, `?drop=7&noted=${record.announcement_hash}`);
    await page.getByText('It has the hash that you noted.').waitFor();
    const counts = (open: number) =>
      `19 in all, announced were 20: ${open} offered now, 4 with a pass, 2 expired, 1 declined`;
    await page.getByText(counts(3)).waitFor();
    await page.getByText("19 Small. In the operator's words: One was torn.").waitFor();
    await page.getByText('you have one more ticket for each drop that you lost').waitFor();
    given = makeGiven(2);
    await page.clock.fastForward(10_000);
    await page.getByText(counts(2)).waitFor();
    await expectAccessiblePage(page);
  });

  test('lights its masks one by one, and at once for who skips it or asks for quiet', async () => {
    const visitor = await browser.visit({ reducedMotion: 'no-preference' });
    const { page } = visitor;
    const lit = page.locator('.draw-masks svg[data-lit]');
    await openDraw(visitor, makeRecord());
    await page.getByText('Confirming each mask').waitFor();
    await page.clock.runFor(SHOW_MS / 2);
    await page.getByText(/^#\d+, drawn, (Small|Large)$/).waitFor();
    await expect.poll(() => lit.count()).toBe(MASKS / 2);
    await page.clock.runFor(SHOW_MS);
    await page.getByText('The draw checks out', { exact: true }).waitFor();
    await expect.poll(() => lit.count()).toBe(MASKS);
    await page.getByRole('button', { name: 'Watch again' }).click();
    await expect.poll(() => lit.count()).toBe(0);
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByText('The draw checks out', { exact: true }).waitFor();
    await expect.poll(() => lit.count()).toBe(MASKS);
    await page.getByRole('button', { name: 'Watch again' }).click();
    await page.getByText('Confirming each mask').waitFor();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.getByText('The draw checks out', { exact: true }).waitFor();
    await expect.poll(() => lit.count()).toBe(MASKS);
  });

  test('shows which mask the record gives to another entrant', async () => {
    const visitor = await browser.visit();
    const record = makeRecord();
    const swap = (index: number) => (index === 11 ? 200 : index === 200 ? 11 : index);
    const order = (record.order ?? []).map((one, index, all) => ({
      ...one,
      position: all[swap(index)]?.position ?? 0,
    }));
    await openDraw(visitor, { ...record, order });
    await visitor.page.getByText('This draw is NOT as it was announced:').waitFor();
    await visitor.page.getByText(/^Place 12 of the order is position/).waitFor();
    const differing = visitor.page.locator('.draw-masks svg[data-differs]');
    await expect.poll(() => differing.count()).toBe(1);
    await expectAccessiblePage(visitor.page);
  });

  test('leaves all masks dark until it is drawn', async () => {
    const visitor = await browser.visit();
    await openDraw(visitor, { ...makeRecord(), evidence: null, order: null });
    await visitor.page.getByText('The draw is yet to come').waitFor();
    await visitor.page.getByText('Public randomness of 23 Aug 2023, 15:59 UTC').waitFor();
    await expect.poll(() => visitor.page.locator('.draw-masks svg').count()).toBe(MASKS);
    await expect.poll(() => visitor.page.locator('.draw-masks svg[data-lit]').count()).toBe(0);
    await expectAccessiblePage(visitor.page);
  });

  test('is called forged when the list is', async () => {
    const visitor = await browser.visit();
    const record = makeRecord();
    const entrants = record.entrants.map((one) =>
      one.position === 9 ? { ...one, points: 4 } : one,
    );
    await openDraw(visitor, { ...record, entrants });
    await visitor.page.getByText('This draw is NOT as it was announced:').waitFor();
    await visitor.page.getByText(/^The list has the hash \w{64}, not/).waitFor();
    await expectAccessiblePage(visitor.page);
  });

  test('waits until the line is frozen', async () => {
    const visitor = await browser.visit();
    visitor.expectNoise(/404/);
    await openDraw(visitor, null);
    await visitor.page.getByText('When the list closes').waitFor();
    for (const title of ['Your ticket', 'What was published'])
      await expect
        .poll(() => visitor.page.getByRole('heading', { name: title }).isHidden())
        .toBe(true);
    await expectAccessiblePage(visitor.page);
    await visitor.page.getByRole('link', { name: 'To the waitlist' }).click();
    await visitor.page.waitForURL((url) => url.pathname === pagePaths.landing);
  });
});

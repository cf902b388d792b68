/** A drop that is entered by card, from the freeze to the last hold, at a fake of Stripe. */
import { beforeAll, describe, expect } from 'vitest';
import type { DrawRecord } from '../../contract/drop/draw-record.ts';
import type { DropPlaceView } from '../../contract/drop/drop-views.ts';
import type { LookedAtOffer, OwnOffer } from '../../contract/drop/offer-views.ts';
import { verifyDraw } from '../../contract/drop/verify-draw-rules.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { oneEngine } from '../support/engines.ts';
import type { Card } from '../support/fake-far-side.ts';
import { FakeStripe } from '../support/fake-stripe.ts';
import { tellStory } from '../support/tell-story.ts';
import { NOBODY, provideApp } from './provide-app.ts';

const SECRET = 'whsec_0123456789';
const TILL = {
  stripe: { cents: 8_000, currency: 'EUR', countries: ['DE'] },
  secret_key: 'rk_live_0123456789',
  webhook_secret: SECRET,
};
const [ADA, TWIN, PREPAID, REFUSING, LAPSING, LEAVING, LATE, LAST] = [0, 1, 2, 3, 4, 5, 6, 7];
const RANK = { by_rank: 3, drawn_among: 0, source: 'none' };

describe.each(oneEngine)('a drop that is entered by card on %s', (engine) => {
  const app = provideApp(engine);
  const { post, read, change, preview, refuses, run, sql } = app;
  let ids: string[] = [];
  const stripe = new FakeStripe();

  beforeAll(async () => {
    globalThis.fetch = stripe.fetch;
    ids = await app.joinGhosts(8);
    await app.setStock({ Small: 3, Medium: 0, Large: 0 });
    await confirmEverybody(app.database);
  });

  const look = (index: number): Promise<LookedAtOffer> =>
    read(fillPath(apiPaths.offerOf, ids[index] ?? ''));
  const placeOf = (index: number): Promise<DropPlaceView> =>
    read(fillPath(apiPaths.dropPlace, ids[index] ?? ''));
  const stateOf = async (index: number) => {
    const { card_entry: entry } = await placeOf(index);
    return entry && [entry.state, entry.why];
  };
  const mailsOf = async (index: number) => (await app.mailsTo(ids[index])).map(decode);
  const mailed = async (index: number, words: string) =>
    (await mailsOf(index)).filter((mail) => mail.includes(words)).length;
  const tokenOf = async (index: number) =>
    (await mailsOf(index)).flatMap((mail) => /#offer=([\w-]+)/.exec(mail)?.[1] ?? []).at(-1) ?? '';
  const act = async (path: string, index: number) =>
    (await post(path, { token: await tokenOf(index) }, NOBODY)) as OwnOffer & { status: number };
  const hurry = () => sql(`update checkout set next_at = '-infinity'`);
  /** Lets so much time pass on both sides. */
  const passHours = async (hours: number) => {
    stripe.passMs(hours * 3_600_000);
    const by = `make_interval(mins => ${Math.round(60 * hours)})`;
    await sql(`update mask_drop set enter_until = enter_until - ${by},
      selected_at = selected_at - ${by}`);
    await sql(`update checkout set pay_by = pay_by - ${by}, ends_at = ends_at - ${by},
      next_at = next_at - ${by}, capture_before = capture_before - ${by}`);
  };
  const work = async () => {
    for (const name of ['making offers', 'selling masks', 'making offers', 'selling masks'])
      await run(name);
  };
  const card = (fingerprint: string, more: Partial<Card> = {}): Card => ({
    fingerprint,
    funding: 'credit',
    ...more,
  });
  const enter = async (index: number, own: Card) => {
    expect(await act(apiPaths.enterDrop, index)).toMatchObject({ status: 200 });
    await run('selling masks');
    const { entry_link: link } = await act(apiPaths.offer, index);
    expect(stripe.pay(link ?? '', 'plain', own)).toBe(true);
    const notice = stripe.notice(link?.split('/').at(-1) ?? '', SECRET);
    await app.fastify.inject({
      method: 'POST',
      url: fillPath(apiPaths.tillNotices, 'stripe'),
      payload: notice.body,
      headers: { ...notice.headers, 'content-type': 'application/json' },
    });
    await work();
  };

  const step = tellStory('goes through one step after the other');

  step('needs Stripe, which stays the till then, and a window of a day at least', async () => {
    const frozen = { first: 8, domains: ['example.com'], cards: { refuses_prepaid: true } };
    expect(await change('freeze-drop', frozen)).toMatchObject({ status: 409 });
    expect(await change('set-till', TILL)).toMatchObject({ status: 201 });
    const short = { first: 8, cards: { hours: 23 } };
    expect(await change('freeze-drop', short)).toMatchObject({ status: 422 });
    const { sentences } = await preview('freeze-drop', frozen);
    expect(sentences).toContainEqual(
      expect.stringMatching(/^Entrants are mailed .* by card until/),
    );
    expect(sentences).toContain('Prepaid cards are refused.');
    expect(await change('freeze-drop', frozen)).toMatchObject({ status: 201 });
    await refuses('set-till', { link: { reports: false } }, /^Members enter this drop by card/);
  });

  step('mails every entrant once what entering means', async () => {
    await run('making offers');
    await run('making offers');
    const words = '€80.00 are reserved on your card, and given back if you are not drawn.';
    for (const index of ids.keys()) expect(await mailed(index, words)).toBe(1);
    expect(await placeOf(ADA)).toMatchObject({
      card_entry: { state: null, may_enter: true, price: '€80.00' },
    });
    expect(await post(apiPaths.enterDrop, { token: 'x' }, NOBODY)).toMatchObject({ status: 403 });
  });

  step('holds the price on a card, and shows the link to its member alone', async () => {
    expect(await act(apiPaths.enterDrop, ADA)).toMatchObject({ status: 200, entry_link: null });
    expect(await stateOf(ADA)).toEqual(['wanted', null]);
    expect(await act(apiPaths.enterDrop, ADA)).toMatchObject({ status: 200 });
    await Promise.all([run('selling masks'), run('selling masks')]);
    const { entry_link: link } = await act(apiPaths.offer, ADA);
    expect(link).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    expect(JSON.stringify([await look(ADA), await placeOf(ADA)])).not.toContain(
      'checkout.stripe.com',
    );
    expect(stripe.open()).toHaveLength(1);
    await enter(ADA, card('of Ada'));
    expect(await stateOf(ADA)).toEqual(['held', null]);
    expect(stripe.holds()).toHaveLength(1);
    expect(await mailed(ADA, 'Subject: You are in the draw')).toBe(1);
    expect(await read(operatorPaths.money)).toMatchObject({ sums: [] });
  });

  step('gives a second hold of one card back, and prepaid ones, and says why', async () => {
    await enter(TWIN, card('of Ada'));
    await enter(PREPAID, card('prepaid', { funding: 'prepaid' }));
    expect(await stateOf(TWIN)).toEqual(['released', 'duplicate']);
    expect(await stateOf(PREPAID)).toEqual(['released', 'prepaid']);
    expect(stripe.holds()).toHaveLength(1);
    for (const [index, words] of [
      [TWIN, 'one card is one ticket'],
      [PREPAID, 'Prepaid cards cannot enter this draw'],
    ] as const) {
      const told = (await mailsOf(index)).filter((mail) =>
        mail.includes('Subject: Nothing is reserved'),
      );
      expect(told).toHaveLength(1);
      expect(told[0]).toContain(words);
      expect(told[0]).toContain('You can enter again');
    }
    await enter(TWIN, card('of a twin'));
    expect(await stateOf(TWIN)).toEqual(['held', null]);
  });

  step('releases who withdraws, who may enter again, and who leaves', async () => {
    await enter(LEAVING, card('leaving'));
    expect(await act(apiPaths.withdrawEntry, LEAVING)).toMatchObject({ status: 200 });
    await work();
    expect(await stateOf(LEAVING)).toEqual(['released', 'withdrawn']);
    expect(stripe.holds()).toHaveLength(2);
    await enter(LEAVING, card('leaving'));
    expect(stripe.holds()).toHaveLength(3);
    const removed = await change('remove-members', { member_ids: [ids[LEAVING]] });
    expect(removed).toMatchObject({ status: 201 });
    await work();
    expect(stripe.holds()).toHaveLength(2);
  });

  step('tells a hold that lapsed before the draw, and lets its member enter again', async () => {
    await enter(LAPSING, card('lapsing'));
    stripe.move((await holdOf(LAPSING)) ?? '', 'refund');
    await hurry();
    await work();
    expect(await stateOf(LAPSING)).toEqual(['released', 'lapsed']);
    expect(await mailed(LAPSING, 'Subject: Nothing is reserved')).toBe(1);
    await enter(REFUSING, card('refusing', { isRefusing: true }));
    await act(apiPaths.enterDrop, LATE);
    await run('selling masks');
  });

  step('reminds once whoever is not in, and has not left the draw', async () => {
    await run('making offers');
    expect(await reminders()).toEqual([]);
    await passHours(37);
    await run('making offers');
    await run('making offers');
    expect(await reminders()).toEqual([PREPAID, LAPSING, LATE, LAST]);
  });

  step('announces a draw among those who are in, once the window is over', async () => {
    await refuses('announce-draw', RANK, /^Members can/);
    // Its checkout of a day is made again.
    await work();
    expect(await stateOf(LATE)).toEqual(['created', null]);
    stripe.faults.push(...Array.from({ length: 500 }, () => 'lost' as const));
    // The window is over by five minutes.
    await passHours(11 + 1 / 12);
    await run('selling masks');
    await refuses('announce-draw', RANK, /^1 checkout is/);
    stripe.faults.length = 0;
    await hurry();
    await work();
    expect(stripe.open()).toEqual([]);
    expect(await stateOf(LATE)).toEqual(['released', null]);
    expect(await act(apiPaths.enterDrop, LATE)).toMatchObject({ status: 409 });
    await enter(LAPSING, card('lapsing'));
    expect(await stateOf(LAPSING)).toEqual(['held', null]);
    await refusesAfterDays(5, 'announce-draw', RANK);
    expect(await change('announce-draw', RANK)).toMatchObject({ status: 201 });
    expect((await readRecord()).entered).toEqual([ADA, TWIN, REFUSING, LAPSING].map(positionOf));
    const kinds = [ADA, TWIN, REFUSING, LAPSING].map(() => ({ kind: 'by-rank', masks: 0 }));
    const odds = [ADA, TWIN, REFUSING, LAPSING].map(async (one) => (await placeOf(one)).odds);
    expect(await Promise.all(odds)).toMatchObject(kinds.with(3, { kind: 'behind', masks: 0 }));
    expect((await placeOf(LAST)).odds).toBeNull();
  });

  step('lets nobody else in then, and offers again who lapses', async () => {
    stripe.move((await holdOf(LAPSING)) ?? '', 'refund');
    await hurry();
    await work();
    expect((await placeOf(LAPSING)).odds).toBeNull();
    await enter(LAPSING, card('lapsing'));
    expect(await stateOf(LAPSING)).toEqual(['held', null]);
    expect(await act(apiPaths.enterDrop, PREPAID)).toMatchObject({ status: 409 });
    await refusesAfterDays(5, 'select-entrants');
  });

  step('charges who is drawn, passes a refused mask on, and releases the others', async () => {
    const { sentences } = await preview('select-entrants');
    expect(sentences).toContainEqual(expect.stringMatching(/^4 cards hold the price\. /));
    expect(await change('select-entrants')).toMatchObject({ status: 201 });
    const { entered, order } = await readRecord();
    expect(order?.map(({ position }) => position)).toEqual(entered);
    for (let round = 0; round < 3; round += 1) await work();
    expect(stripe.holds()).toEqual([]);
    const paid = await Promise.all([ADA, TWIN, LAPSING].map(look));
    expect(paid.map(({ offer }) => offer?.state)).toEqual(['paid', 'paid', 'paid']);
    expect((await look(REFUSING)).offer?.state).toBe('cancelled');
    expect(await stateOf(LAST)).toEqual([null, null]);
    expect(stripe.payments()).toHaveLength(3);
    expect(await mailed(REFUSING, 'Subject: Nothing is reserved')).toBe(1);
    expect(await mailed(ADA, 'is paid')).toBe(1);
    const money = await read(operatorPaths.money);
    expect(money.sums).toMatchObject([{ payments: 3, paid_cents: 24_000 }]);
    const { checkouts } = await read(operatorPaths.till);
    expect(checkouts).toMatchObject({ held: 0, releasing: 0, paid: 3 });
  });

  const positionOf = (index: number) => index + 1;
  /** The public record, which fits its hashes. */
  const readRecord = async () => {
    const record: DrawRecord = await read(fillPath(apiPaths.draw, '1'));
    expect(verifyDraw(record, record.announcement_hash).problems).toEqual([]);
    return record;
  };
  const reminders = async () => {
    const found: number[] = [];
    for (const index of [ADA, TWIN, PREPAID, REFUSING, LAPSING, LATE, LAST])
      for (let mails = await mailed(index, 'not in the draw yet'); mails > 0; mails -= 1)
        found.push(index);
    return found;
  };
  /** Moves the freeze so far back that a hold would not live until the draw. */
  const refusesAfterDays = async (days: number, kind: string, input = {}) => {
    const shift = (by: number) =>
      sql(`update mask_drop set frozen_at = frozen_at + make_interval(days => ${by})`);
    await shift(-days);
    await refuses(kind, input, /at most 5 days/);
    await shift(days);
  };
  step('counts no drop as lost for who did not enter it', async () => {
    expect(await change('close-drop')).toMatchObject({ status: 201 });
    expect(await change('open-drop')).toMatchObject({ status: 201 });
    const again = { first: 8, domains: ['example.com'], losses_count: true };
    const { sentences } = await preview('freeze-drop', again);
    expect(sentences).toContainEqual(expect.stringMatching(/^0 entrants have lost drops/));
  });

  const holdOf = async (index: number) =>
    (
      await sql<{ offer_id: string }>('select offer_id from checkout where member_id = $1', [
        ids[index],
      ])
    )[0]?.offer_id;
});

/** Quoted-printable text without its escapes and soft breaks. */
function decode(mail: string): string {
  const bytes = mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replace(/\s+/g, ' ');
}

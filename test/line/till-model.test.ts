/** Tills whose far sides are fakes, written from the public API descriptions of the vendors. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPass } from '../../contract/drop/states.ts';
import type { Transaction } from '../../server/db/transaction.ts';
import { acceptOffer } from '../../server/drop/offers/settle-offer.ts';
import { startOffers } from '../../server/drop/steps/start-offers.ts';
import { makeOffers } from '../../server/drop/steps/sweep-offers.ts';
import { prepareSizes, setStock } from '../../server/drop/stock/stock.ts';
import { listSizes } from '../../server/drop/stock/store.ts';
import { hurryAll } from '../../server/drop/till/checkout-store.ts';
import { cancelPass, settlePaymentOperation } from '../../server/drop/till/settle-payment.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import { oneEngine, openTestDatabase } from '../support/engines.ts';
import { ACCOUNTS, openFarSides } from '../support/fake-tills.ts';
import { keepFinds } from '../support/keep-finds.ts';
import { type LineRows, readLineRows, writeLineRows } from '../support/line-rows.ts';
import { isAll, isLong } from '../support/test-form.ts';
import { ENTRANTS, SIZES, selectMembers } from './offer-steps.ts';
import { cardOf, drawByCard, freezeByCard, UNSETTLED } from './till-cards.ts';
import { changeOffer } from './till-changes.ts';
import { type Copied, copyLine, openCopyServer, takeOver } from './till-copy.ts';
import {
  brand,
  MINUTE_MS,
  onlyProblems,
  openTillLine,
  type TillLine,
  type World,
} from './till-line.ts';
import { checkMoney, isPrice, referenceOf } from './till-money.ts';
import { type History, histories, type Step } from './till-steps.ts';

const HISTORIES = isLong ? 10_000 : isAll ? 300 : 20;
/** The clocks of both sides differ by no more. */
const MAX_LAG_MINUTES = 8;
/** Histories are vacuumed here, because the databases of tests have no autovacuum. */
const VACUUM_EVERY = 100;
const URLS = ['https://line.example.com', 'https://masks.example.com'];
const WISH = { sizes: [], takes_any: true, chosen_size: null };
const stockOf = (size: string) => (size === 'Large' ? 0 : 2);

type Place = {
  readonly line: TillLine;
  readonly server: Awaited<ReturnType<typeof openCopyServer>>;
};

describe.each(oneEngine)('a till on the %s engine', (engine) => {
  const world = {} as World;
  let line: TillLine;
  /** Another database, where a copy of the line may be. */
  let beside: Place;
  const places: Place[] = [];
  let memberIds: readonly string[];
  let joined: LineRows;
  /** How histories begin, with times of the last minutes. */
  const beginnings = new Map<string, { readonly at: number; readonly rows: LineRows }>();
  let begun = 0;
  let chosen = 0;
  let copied: Copied | null;
  let hasTakenOver: boolean;
  let hasRaced: boolean;
  let seen: Awaited<ReturnType<TillLine['look']>>;
  /** Every link that a member was shown, the newest last. */
  let shown: Map<string, string[]>;
  /** Sales that are none of this line, and checkouts that other lines have in its accounts. */
  let strange: string[];
  let others: string[];
  /** Payments that the owner settled, and whether their pass waited for payment then. */
  let settled: Map<string, boolean>;
  let lag = 0;
  /** Whether the till sells in another currency, or another product. */
  let isOther = false;
  let isByCard = false;
  /** Passes whose hold was captured by hand, in the dashboard of the vendor. */
  let capturedByHand: Set<string>;

  beforeAll(async () => {
    line = (await openPlace()).line;
    beside = await openPlace();
    const queue = openJoinQueue({ database: line.database, brand });
    const asked = Array.from({ length: ENTRANTS }, (_, index) =>
      queue.join({ email: `t${index}@example.com`, referredBy: null, idempotencyKey: null }),
    );
    memberIds = (await Promise.all(asked)).flatMap(({ memberId }) => memberId ?? []);
    await queue.close();
    joined = await readLineRows(line.database.runSql);
  });
  afterAll(async () => {
    for (const { line: one, server } of places) {
      await server.close();
      await one.close();
    }
  });

  async function openPlace(): Promise<Place> {
    const place = await openTestDatabase(engine);
    await prepareSizes(place.database, brand);
    const server = await openCopyServer(place, world);
    const opened = { line: openTillLine(place, world), server };
    places.push(opened);
    return opened;
  }

  test('sells no mask twice and loses none, whatever happens to its calls', {
    timeout: isLong ? 7_200_000 : 900_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        await begin(history);
        for (const one of history.steps) if (await take(one)) await compare();
        await conclude(history);
      }),
      keepFinds<[History]>({ numRuns: HISTORIES }),
    );
  });

  async function begin({ till, accepted, isByCard: isCard = false }: History): Promise<void> {
    const { runSql } = line.database;
    world.far = openFarSides();
    world.publicUrl = URLS[0] ?? '';
    chosen = till;
    copied = null;
    hasTakenOver = false;
    hasRaced = false;
    shown = new Map();
    strange = [];
    settled = new Map();
    lag = 0;
    isOther = false;
    isByCard = isCard;
    capturedByHand = new Set();
    begun += 1;
    if (begun % VACUUM_EVERY === 0)
      for (const { line: one } of places) await one.database.runSql('vacuum');
    const name = JSON.stringify({ till, accepted, isByCard });
    const known = beginnings.get(name);
    if (known !== undefined && Date.now() - known.at < 5 * MINUTE_MS)
      await writeLineRows(runSql, known.rows);
    else {
      await writeLineRows(runSql, joined);
      await prepare(till, accepted);
      beginnings.set(name, { at: Date.now(), rows: await readLineRows(runSql) });
    }
    others = world.far.fakes.flatMap((fake) => fake.sellBeside());
    if (accepted > 0) await line.run();
    await compare();
    if (!isByCard) return;
    // So many cards hold the price when the history begins.
    const links = seen.entries.flatMap(({ link }) => link ?? []);
    for (const [nth, link] of links.entries())
      world.far.fakes[sideOf(link)]?.pay(link, 'plain', cardOf(nth));
    await hurryAll(
      line.database,
      seen.entries.map(({ id }) => id),
    );
    await line.run();
    await compare();
  }

  async function prepare(till: number, accepted: number): Promise<void> {
    await selectMembers(
      line.database,
      memberIds,
      memberIds.map(() => WISH),
      SIZES.map(stockOf),
    );
    for (const size of SIZES)
      await line.alone((all) => setStock(all, { size, stock: stockOf(size), maskCount: 100 }));
    expect(await line.setTill(till)).toBe(true);
    if (isByCard) return await freezeByCard(line, memberIds.slice(0, accepted));
    await line.alone((all) => startOffers(all, { minutes: 20_000, time_zone: 'UTC' }));
    await line.alone(makeOffers);
    for (const memberId of memberIds.slice(0, accepted))
      await line.alone((all) => acceptOffer(all, memberId));
  }

  /** Returns whether it may have changed the line. */
  async function take(one: Step): Promise<boolean> {
    const { fakes } = world.far;
    switch (one.kind) {
      case 'run':
        for (const fake of fakes) fake.faults.push(...one.faults);
        await Promise.all([run(one.servers), ...(isByCard ? [line.alone(makeOffers)] : [])]);
        for (const { faults: left } of fakes) left.length = 0;
        return true;
      case 'clock':
        await passMinutes(one.minutes);
        return true;
      case 'deadline':
        await passDeadline(one.lag);
        return true;
      case 'by hand':
        strange.push(...fakes.map((fake) => fake.payByHand()));
        return false;
      case 'till':
        await setTill(one.nth, one.isRacing);
        return true;
      case 'terms':
        isOther = (await line.setTill(chosen, one)) ? one.isOther : isOther;
        return true;
      case 'draw':
        return await draw();
      case 'start':
        if (seen.drop_state !== 'selected') return false;
        await line.alone((all) => startOffers(all, { minutes: 20_000, time_zone: 'UTC' }));
        return true;
      case 'try the till':
        for (const fake of fakes) fake.faults.push(...one.faults);
        await line.tryTill();
        for (const { faults: left } of fakes) left.length = 0;
        return false;
      case 'address':
        world.publicUrl = URLS[one.nth] ?? '';
        return false;
      case 'copy': {
        const { publicUrl } = world;
        copied = await copyLine(line, beside.line, { how: one.how, chosen, publicUrl });
        return false;
      }
      case 'this is the line':
        return await letCopyTakeOver();
    }
    return await takeOf(one, memberIds[one.entrant] ?? '');
  }

  async function draw(): Promise<boolean> {
    if (seen.drop_state !== 'frozen') return false;
    await drawByCard(line);
    return true;
  }

  async function takeOf(
    one: Extract<Step, { entrant: number }>,
    memberId: string,
  ): Promise<boolean> {
    const { fakes } = world.far;
    const own = seen.offers.find(({ member_id: id }) => id === memberId);
    const entry = seen.entries.find(({ member_id: id }) => id === memberId);
    const id = own?.id ?? entry?.id ?? '';
    const code = own?.code ?? '';
    switch (one.kind) {
      case 'pay': {
        const link = shown.get(memberId)?.at(one.isOld ? 0 : -1);
        if (link !== undefined) fakes[sideOf(link)]?.pay(link, one.way, cardOf(one.card));
        return false;
      }
      case 'move': {
        const isHeld = fakes.some((fake) => fake.holds().some(({ offerId }) => offerId === id));
        fakes.find((fake) => fake.move(id, one.how));
        if (isHeld && one.how === 'capture') capturedByHand.add(id);
        return false;
      }
      case 'forge':
        strange.push(...fakes.flatMap((fake) => fake.forge(id)));
        return false;
      case 'notice':
        await hurryAll(line.database, [own?.far_id ?? entry?.far_id ?? '', own?.shop_order ?? '']);
        return false;
    }
    await line.alone((all) => change(all, one.kind, { memberId, id, code })).catch(onlyProblems);
    if (one.kind === 'cancel' || one.kind === 'leave') await line.alone(makeOffers);
    return true;
  }

  async function change(
    transaction: Transaction,
    kind: Exclude<Extract<Step, { entrant: number }>['kind'], 'pay' | 'move' | 'forge' | 'notice'>,
    { memberId, id, code }: Record<'memberId' | 'id' | 'code', string>,
  ): Promise<unknown> {
    switch (kind) {
      case 'settle': {
        const row = seen.payments.find((one) => one.offer_id === id && one.state === 'by_hand');
        const input = { payment: row?.id ?? '', note: 'By a bank transfer.' };
        await settlePaymentOperation.apply(transaction, input, undefined as never);
        const isWaiting = seen.offers.some((one) => one.id === id && one.state === 'accepted');
        return settled.set(row?.reference ?? '', isWaiting);
      }
      case 'resize': {
        const own = seen.offers.find((offer) => offer.id === id);
        const size = own?.size === 'Small' ? 'Medium' : 'Small';
        const free = (await listSizes({ kysely: transaction })).find(({ name }) => name === size);
        if (own?.state !== 'accepted' || (free?.available ?? 0) === 0) return null;
        return await sql`
      update offer set size = ${size} where id = ${id} and state = 'accepted'
    `.execute(transaction);
      }
      default:
        return await changeOffer(transaction, kind, { memberId, id, code });
    }
  }

  /** Links are of one account alone. */
  function sideOf(link: string): number {
    const id = Number(/\d+$/.exec(link)?.[0]);
    if (link.includes('stripe')) return id > 100_000 ? 2 : 0;
    return id > 500_000 ? 3 : 1;
  }

  async function run(servers = 1): Promise<void> {
    await Promise.all(Array.from({ length: servers }, line.run));
    if (copied !== null) await beside.server.expectSilence();
  }

  async function setTill(nth: number, isRacing = false): Promise<boolean> {
    if (!(await line.setTill(nth, { isRacing }))) return false;
    isOther = false;
    hasRaced ||= isRacing;
    // What an older copy does not know of is nothing that it could settle.
    if (nth !== chosen) copied = null;
    chosen = nth;
    if (hasRaced) return true;
    const { rows: overlooked } = await sql`
      select from till_payment join till_account account on account.id = account_id
      where state = 'kept' and left_at is not null
        and kind = (select kind from till_account where left_at is null)
    `.execute(line.database.kysely);
    expect(overlooked).toEqual([]);
    return true;
  }

  async function letCopyTakeOver(): Promise<boolean> {
    if (copied === null) return false;
    const copy = beside.line;
    await takeOver(line, copy, copied);
    beside = places.find((one) => one.line === line) as Place;
    line = copy;
    chosen = copied.chosen;
    copied = null;
    isOther = true;
    hasTakenOver = true;
    return true;
  }

  /** The next pay-by time is over here by a minute, and perhaps not yet at the far side. */
  async function passDeadline(behind: number): Promise<void> {
    const slow = Math.min(behind, MAX_LAG_MINUTES - lag);
    lag += slow;
    await passMinutes(await line.readMinutesToDeadline(), slow);
  }

  /** Sets the clocks of both sides forward, so to speak, that of the far side by less. */
  async function passMinutes(minutes: number, slow = 0): Promise<void> {
    for (const fake of world.far.fakes) fake.passMs((minutes - slow) * MINUTE_MS);
    await line.passMinutes(minutes);
    if (copied !== null) await beside.line.passMinutes(minutes);
  }

  const ours = () =>
    world.far.fakes
      .flatMap((fake) => fake.payments())
      .filter(({ reference }) => !strange.includes(reference));

  async function compare(): Promise<void> {
    seen = await line.look();
    const { offers, payments } = seen;
    for (const size of SIZES) {
      const taken = offers.filter((one) => {
        return one.size === size && (one.state === 'open' || isPass(one.state));
      });
      expect(taken.length).toBeLessThanOrEqual(stockOf(size));
    }
    const excused = payments
      .filter((row) => isAsked(row) || row.why === 'No mask of the paid size is left.')
      .map(referenceOf);
    const all = ours();
    for (const offer of offers) {
      const paid = all.filter(({ offerId }) => offerId === offer.id);
      const { state, shop_order: order } = offer;
      const isByTill = order !== null && order !== 'by hand' && !settled.has(order);
      // What the owner settled has paid its pass, which is asked for no second payment.
      if (state === 'accepted')
        expect(payments.filter((row) => row.offer_id === offer.id)).not.toContainEqual(
          expect.objectContaining({ state: 'settled' }),
        );
      if (offer.checkout_state === 'paid' && isByTill && offer.paid_size !== null)
        expect(offer.size).toBe(offer.paid_size);
      if (isPass(state) && isByTill) expect(paid.filter(isPrice).map(referenceOf)).toContain(order);
      // A mask is given on only once the till says that it is not paid.
      if (offer.checkout_state === 'expired')
        for (const one of paid.filter(isPrice))
          expect(one.isLate || one.isRefunded || excused.includes(one.reference)).toBe(true);
    }
    for (const { member_id: id, link } of [...offers, ...seen.entries])
      if (link !== null && !shown.get(id)?.includes(link))
        shown.set(id, [...(shown.get(id) ?? []), link]);
    if (hasTakenOver) return;
    // Nobody pays who is not drawn, whatever happens.
    for (const { offerId } of all)
      if (isByCard && !capturedByHand.has(offerId ?? ''))
        expect(offers.map(({ id }) => id)).toContain(offerId);
    const open = openIds().map((id) => id.split('/').at(-1));
    for (const links of shown.values())
      expect(links.filter((link) => open.includes(link.split('/').at(-1))).length).toBeLessThan(2);
  }

  /** What is settled of a pass that waits for payment pays that pass, and is no excuse. */
  const isAsked = (row?: (typeof seen.payments)[number]) =>
    row?.state === 'by_hand' || (row?.state === 'settled' && settled.get(row.reference) === false);

  const holds = () => world.far.fakes.flatMap((fake) => fake.holds());

  const openIds = () => world.far.fakes.flatMap((fake) => fake.open()).map(({ id }) => id);

  /** Once all passes have ended or are paid, and all calls have come through. */
  async function conclude({ isCancelled, how, isFailing }: History): Promise<void> {
    // Behind a link no pass ends by itself.
    for (const nth of ACCOUNTS.keys()) if (chosen === ACCOUNTS.length) await setTill(nth);
    // Sessions that nobody ends stay open for a day.
    if (isCancelled)
      for (const { code, state } of seen.offers)
        if (state === 'accepted')
          await line.alone((all) => cancelPass(all, code ?? '')).catch(onlyProblems);
    for (const _ of ['announced', 'drawn']) {
      await draw();
      await compare();
    }
    // A hold that lapses while its capture fails is an ordinary pass, with a deadline of its own.
    const deadlines = isByCard ? 15 : 5;
    for (let round = 0; round === 0 || (round < deadlines + 5 && !isQuiet()); round += 1) {
      if (isByCard) await line.alone(makeOffers);
      // The last rounds are for what comes late: each compares one account, and gives it back.
      if (isOther) await setTill(chosen);
      await ((isCancelled && !isByCard) || round >= deadlines ? passMinutes(10) : passDeadline(0));
      await run();
      await compare();
    }
    expect(seen.failure).toBeNull();
    await leaveTill(isCancelled, how);
    await lookAgain();
    if (isFailing) {
      for (const { offerId, isRefunded } of ours())
        if (isRefunded) world.far.fakes.find((fake) => fake.move(offerId ?? '', 'fail'));
      await lookAgain();
    }
    expect(openIds().sort()).toEqual([...others].sort());
    expect(holds()).toEqual([]);
    expect(seen.entries.filter(({ state }) => UNSETTLED.includes(state))).toEqual([]);
    expect(seen.offers.filter(({ state }) => state === 'accepted')).toEqual([]);
    expect(seen.failure).toBeNull();
    checkMoney(seen, { all: ours(), isAsked, hasTakenOver, capturedByHand });
    for (const { reference, refundedCents } of world.far.fakes.flatMap((fake) => fake.payments()))
      if (strange.includes(reference)) expect(refundedCents).toBe(0);
  }

  /** Nothing is under way any more: all is known that was sold, and nothing can be. */
  function isQuiet(): boolean {
    const { offers, payments, failure } = seen;
    const known = new Map(payments.map((row) => [row.reference, row]));
    return (
      failure === null &&
      offers.every(({ state }) => state !== 'accepted') &&
      payments.every(({ state }) => state !== 'to_refund') &&
      openIds().length === others.length &&
      holds().length === 0 &&
      seen.entries.every(({ state }) => !UNSETTLED.includes(state)) &&
      ours().every(({ reference, cents, refundedCents, disputedCents }) => {
        const row = known.get(reference);
        return (
          cents === 0 ||
          (row !== undefined &&
            row.refunded_cents === refundedCents &&
            row.disputed_cents === disputedCents)
        );
      })
    );
  }

  /** Money moves where it was paid, and goes back there, also once another till sells. */
  async function leaveTill(isCancelled: boolean, how: History['how']): Promise<void> {
    // Another account of the same kind is refused while money would be overlooked.
    await setTill((chosen + 2) % ACCOUNTS.length);
    await setTill(chosen % 2 === 0 ? 1 : 0);
    await compare();
    const paid = seen.offers.filter(
      ({ state, shop_order: order }) => isPass(state) && order !== null,
    );
    const byHand = paid.filter(({ shop_order: order }) => order === 'by hand');
    const byTill = paid.filter((one) => !byHand.includes(one));
    for (const { id } of byTill) world.far.fakes.find((fake) => fake.move(id, how));
    for (const { code } of [...byHand, ...(isCancelled ? byTill : [])])
      await line.alone((all) => cancelPass(all, code ?? ''));
  }

  async function lookAgain(): Promise<void> {
    const looked = { next_at: sql<Date>`'-infinity'::timestamptz` };
    for (let round = 0; round === 0 || (round < 4 && !isQuiet()); round += 1) {
      await line.database.kysely.updateTable('till_payment').set(looked).execute();
      await run();
      await compare();
    }
  }
});

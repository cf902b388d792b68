/** Tills whose far sides are fakes, written from the public API descriptions of the vendors. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand as ownBrand } from '../../brand/brand.ts';
import { isPass } from '../../contract/drop/states.ts';
import type { ChangeInput } from '../../contract/operator/changes.ts';
import type { Database } from '../../server/db/database.ts';
import { inTransaction, type Transaction } from '../../server/db/transaction.ts';
import { makeOffers } from '../../server/drop/offers/make-offers.ts';
import { cancelPass, redeemPass } from '../../server/drop/offers/passes.ts';
import { scanPass, undoScan } from '../../server/drop/offers/scan-pass.ts';
import { acceptOffer } from '../../server/drop/offers/settle-offer.ts';
import { startOffers } from '../../server/drop/offers/start-offers.ts';
import { listSizes, setStock } from '../../server/drop/stock/stock.ts';
import { readChosen } from '../../server/drop/till/account-store.ts';
import { openTills, type Tills } from '../../server/drop/till/open-tills.ts';
import { runTill } from '../../server/drop/till/run-till.ts';
import { openSetTill } from '../../server/drop/till/set-till.ts';
import { settlePaymentOperation } from '../../server/drop/till/settle-payment.ts';
import { hurryAll } from '../../server/drop/till/till-store.ts';
import { tellsUnpaid } from '../../server/drop/till/view-checkout.ts';
import { removeMembers, restoreMembers } from '../../server/line/changes/change-store.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import { prepareLine } from '../../server/prepare-line.ts';
import { Problem } from '../../server/problem.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { FAULTS, type FakeFarSide, Killed, MOVES, type Move } from '../support/fake-far-side.ts';
import { FakeShopify } from '../support/fake-shopify.ts';
import { ACCOUNTS, openFarSides } from '../support/fake-tills.ts';
import { keepFinds } from '../support/keep-finds.ts';
import { isAll, isLong } from '../support/test-form.ts';
import { ENTRANTS, SIZES, selectMembers } from './offer-steps.ts';

const HISTORIES = isLong ? 10_000 : isAll ? 120 : 25;
const MINUTE = 60_000;
/** The clocks of both sides differ by no more. */
const MAX_LAG_MINUTES = 8;
const SECRET = 'a secret key of at least thirty-two characters';
const URLS = ['https://line.example.com', 'https://masks.example.com'];
const DOOR = { kind: 'operator', id: null, name: 'door' } as const;
const LINK: ChangeInput<'set-till'> = { link: { reports: false } };
const stockOf = (size: string) => (size === 'Large' ? 0 : 2);
const entrant = fc.nat({ max: 4 });
const faults = fc.array(fc.constantFrom('none' as const, ...FAULTS), { maxLength: 5 });

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('run'),
      servers: fc.integer({ min: 1, max: 2 }),
      faults,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('accept'), entrant }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('pay'), entrant, isOld: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('notice'), entrant }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('clock'), minutes: fc.constantFrom(3, 480) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deadline'), lag: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('redeem'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('door'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo'), entrant }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resize'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forge'), entrant }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('move'), entrant, how: fc.constantFrom(...MOVES) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('till'), nth: fc.nat({ max: ACCOUNTS.length }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('address'), nth: fc.nat({ max: 1 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('shop'),
      status: fc.constantFrom('PAID' as const, 'PAID' as const, 'AUTHORIZED' as const),
      isFulfilling: fc.boolean(),
      price: fc.constantFrom(9_900, 9_900, 100),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('by hand') }) },
);
const histories = fc.array(step, { minLength: 5, maxLength: 16, size: 'max' });
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const brand = {
  ...ownBrand,
  sizes: SIZES.map((name) => ({ name, stock: 2 })),
  maskCount: 100,
};

describe.each(oneEngine)('a till on the %s engine', (engine) => {
  let place: TestDatabase;
  let memberIds: readonly string[];
  let far: ReturnType<typeof openFarSides>;
  /** The account that each history begins with. */
  let first = 0;
  let publicUrl = '';
  /** Every link that a member was shown, the newest last. */
  let shown: Map<string, string[]>;
  /** Sales that are none of this line, and checkouts that other lines have in its accounts. */
  let strange: string[];
  let beside: string[];
  let removals: string[] = [];
  let lag = 0;

  beforeAll(async () => {
    place = await openTestDatabase(engine);
    await prepareLine(place.database, brand);
    const queue = openJoinQueue({ database: place.database, brand });
    const joined = Array.from({ length: ENTRANTS }, (_, index) =>
      queue.join({ email: `t${index}@example.com`, referredBy: null, idempotencyKey: null }),
    );
    memberIds = (await Promise.all(joined)).flatMap(({ memberId }) => memberId ?? []);
    await queue.close();
  });
  afterAll(() => place.close());

  test('sells no mask twice and loses none, whatever happens to its calls', {
    timeout: isLong ? 7_200_000 : 900_000,
  }, async () => {
    const tills = fc.nat({ max: 1 });
    await fc.assert(
      fc.asyncProperty(histories, fc.boolean(), tills, async (steps, isCancelled, till) => {
        await begin(till);
        for (const one of steps) {
          await take(one);
          await compare();
        }
        await conclude(isCancelled, MOVES[steps.length % MOVES.length] ?? 'part');
      }),
      keepFinds<[Step[], boolean, number]>({ numRuns: HISTORIES }),
    );
  });

  const alone = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    inTransaction(place.database, work);

  async function begin(nth: number): Promise<void> {
    far = openFarSides();
    first = nth;
    publicUrl = URLS[0] ?? '';
    shown = new Map();
    strange = [];
    lag = 0;
    const { kysely } = place.database;
    for (const removal of removals) await alone((all) => restoreMembers(all, removal));
    removals = [];
    await kysely.deleteFrom('till_payment').execute();
    // A member who has paid and leaves still gets the mask.
    await kysely.deleteFrom('parcel').execute();
    const wish = { sizes: [], takes_any: true, chosen_size: null };
    await selectMembers(
      place.database,
      memberIds,
      memberIds.map(() => wish),
      SIZES.map(stockOf),
    );
    await kysely.deleteFrom('till_account').execute();
    await kysely.insertInto('till_account').values({ kind: 'link' }).execute();
    for (const size of SIZES)
      await alone((transaction) =>
        setStock(transaction, { size, stock: stockOf(size), maskCount: 100 }),
      );
    expect(await setTill(nth)).toBe(true);
    beside = far.fakes.map((fake) => fake.sellBeside());
    await alone((transaction) => startOffers(transaction, { minutes: 20_000, time_zone: 'UTC' }));
    await alone(makeOffers);
    for (const memberId of memberIds.slice(0, 3))
      await alone((transaction) => acceptOffer(transaction, memberId));
    await runMortal();
    await noteLinks();
  }

  /** Returns whether it was taken. */
  async function setTill(nth: number): Promise<boolean> {
    const tills = openServer(place.database, far.fetch);
    const operation = openSetTill({ tills, secretKey: SECRET });
    const input = ACCOUNTS[nth]?.input ?? LINK;
    const planned = (await operation.plan?.(input)) as never;
    try {
      await alone((transaction) => operation.apply(transaction, input, planned));
      const { rows: overlooked } = await sql`
        select from till_payment join till_account account on account.id = account_id
        where state = 'kept' and left_at is not null
          and kind = (select kind from till_account where left_at is null)
      `.execute(place.database.kysely);
      expect(overlooked).toEqual([]);
      return true;
    } catch (error) {
      onlyProblems(error);
      return false;
    }
  }

  async function take(one: Step): Promise<void> {
    switch (one.kind) {
      case 'run':
        far.fakes[first]?.faults.push(...one.faults);
        await Promise.all(Array.from({ length: one.servers }, runMortal));
        for (const { faults: left } of far.fakes) left.length = 0;
        return await noteLinks();
      case 'clock':
        return await passMinutes(one.minutes);
      case 'deadline':
        return await passDeadline(one.lag);
      case 'by hand':
        return void strange.push(...far.fakes.map((fake) => fake.payByHand()));
      case 'till':
        return void (await setTill(one.nth));
      case 'address':
        publicUrl = URLS[one.nth] ?? '';
        return;
      case 'shop': {
        const { status, isFulfilling, price } = one;
        for (const fake of far.fakes)
          if (fake instanceof FakeShopify) Object.assign(fake, { status, isFulfilling, price });
        return;
      }
    }
    await takeOf(one, memberIds[one.entrant] ?? '');
  }

  async function takeOf(one: Extract<Step, { entrant: number }>, memberId: string): Promise<void> {
    // The embedded engine has one connection: a read beside the transaction would wait for ever.
    const own = (await readAll()).find(({ member_id: id }) => id === memberId);
    const id = own?.id ?? '';
    const code = own?.code ?? '';
    if (one.kind === 'pay') {
      const link = shown.get(memberId)?.at(one.isOld ? 0 : -1);
      if (link !== undefined) sideOf(link).pay(link);
    } else if (one.kind === 'notice') {
      await hurryAll(place.database, [own?.far_id ?? '', own?.shop_order ?? '']);
    } else if (one.kind === 'move') {
      far.fakes.find((fake) => fake.move(id, one.how));
    } else if (one.kind === 'forge') {
      strange.push(...far.fakes.flatMap((fake) => fake.forge(id)));
    } else if (one.kind === 'leave') {
      const removalId = crypto.randomUUID();
      removals.push(removalId);
      const until = new Date(Date.now() + 3_600_000);
      await alone((transaction) => removeMembers(transaction, [memberId], { removalId, until }));
    } else if (one.kind === 'settle') {
      const rows = await readRows();
      const [row] = rows.filter(({ offer_id, state }) => offer_id === id && state === 'by_hand');
      const input = { payment: row?.id ?? '', note: 'By a bank transfer.' };
      await alone((transaction) =>
        settlePaymentOperation.apply(transaction, input, undefined as never),
      ).catch(onlyProblems);
    } else {
      await alone(async (transaction) => {
        if (one.kind === 'accept') return await acceptOffer(transaction, memberId);
        if (one.kind === 'redeem') return await redeemPass(transaction, { code, order: 'by hand' });
        if (one.kind === 'undo') return await undoScan(transaction, { code, scan: id }, DOOR);
        if (one.kind === 'door') return await scanAtDoor(transaction, { code, scan: id });
        if (one.kind === 'cancel') return await cancelPass(transaction, code);
        const size = own?.size === 'Small' ? 'Medium' : 'Small';
        const free = (await listSizes({ kysely: transaction })).find(({ name }) => name === size);
        if (own?.state === 'accepted' && (free?.available ?? 0) > 0)
          await sql`update offer set size = ${size} where id = ${own.id}`.execute(transaction);
      }).catch(onlyProblems);
    }
    if (one.kind === 'cancel' || one.kind === 'leave') await alone(makeOffers);
  }

  /** Where the till says what is paid, only that is handed over. */
  async function scanAtDoor(transaction: Transaction, scan: Parameters<typeof scanPass>[1]) {
    const onlyPaid = tellsUnpaid(await readChosen({ kysely: transaction }));
    await scanPass(transaction, scan, { actor: DOOR, onlyPaid });
  }

  /** Links are of one account alone. */
  function sideOf(link: string): FakeFarSide {
    const id = Number(/\d+$/.exec(link)?.[0]);
    const isShopify = !link.includes('stripe');
    const side = isShopify ? (id > 500_000 ? 3 : 1) : id > 100_000 ? 2 : 0;
    return far.fakes[side] as FakeFarSide;
  }

  function openServer(database: Database, fetch: typeof far.fetch): Tills {
    return openTills({
      ...{ database, secretKey: SECRET, shopUrl: null, brandName: brand.name },
      ...{ language: 'en', publicUrl, fetch },
    });
  }

  /** A server whose database is gone once it is killed. */
  async function runMortal(): Promise<void> {
    let isDead = false;
    const database: Database = Object.create(place.database, {
      kysely: {
        get() {
          if (isDead) throw new Killed();
          return place.database.kysely;
        },
      },
    });
    const tills = openServer(database, async (url, init) => {
      if (isDead) throw new Killed();
      return await far.fetch(url, init).catch((error) => {
        isDead ||= error instanceof Killed;
        throw error;
      });
    });
    await runTill({ database, tills, log: pino({ level: 'silent' }) }).catch((error) => {
      if (!(error instanceof Killed)) throw error;
    });
  }

  async function noteLinks(): Promise<void> {
    for (const { member_id: id, link } of await readAll())
      if (link !== null && !shown.get(id)?.includes(link))
        shown.set(id, [...(shown.get(id) ?? []), link]);
  }

  /** The next pay-by time is over here by a minute, and perhaps not yet at the far side. */
  async function passDeadline(behind: number): Promise<void> {
    const { rows } = await sql<{ minutes: number | null }>`
      select ceil(extract(epoch from min(pay_by) - clock_timestamp()) / 60)::integer + 1 as minutes
      from checkout where state in ('wanted', 'created') and pay_by > clock_timestamp()
    `.execute(place.database.kysely);
    const slow = Math.min(behind, MAX_LAG_MINUTES - lag);
    lag += slow;
    await passMinutes(rows[0]?.minutes ?? 1, slow);
  }

  /** As if the clocks of both sides were set forward, that of the far side by less. */
  async function passMinutes(minutes: number, slow = 0): Promise<void> {
    for (const fake of far.fakes) fake.passMs((minutes - slow) * MINUTE);
    const by = sql`make_interval(mins => ${minutes}::integer)`;
    const { kysely } = place.database;
    await sql`
      update checkout set pay_by = pay_by - ${by}, ends_at = ends_at - ${by},
        next_at = next_at - ${by}, held_until = held_until - ${by}, remind_at = remind_at - ${by}
    `.execute(kysely);
    await sql`
      update till_payment set next_at = next_at - ${by}, held_until = held_until - ${by}
    `.execute(kysely);
    await sql`
      update till_account set chosen_at = chosen_at - ${by}, left_at = left_at - ${by},
        compare_at = compare_at - ${by}, compared_at = compared_at - ${by}
    `.execute(kysely);
  }

  async function readAll() {
    return await place.database.kysely
      .selectFrom('offer')
      .leftJoin('checkout', 'checkout.offer_id', 'offer.id')
      .select(['offer.id', 'member_id', 'offer.state', 'offer.size', 'code', 'shop_order'])
      .select(['checkout.state as checkout_state', 'checkout.size as paid_size', 'far_id', 'link'])
      .orderBy('offered_at', 'desc')
      .execute();
  }

  const readRows = () => place.database.kysely.selectFrom('till_payment').selectAll().execute();
  const paymentsOf = (offerId: string) =>
    far.fakes
      .flatMap((fake) => fake.payments())
      .filter((one) => one.offerId === offerId && !strange.includes(one.reference));

  async function compare(): Promise<void> {
    for (const { available } of await listSizes(place.database))
      expect(available).toBeGreaterThanOrEqual(0);
    const rows = await readRows();
    const lacking = rows.filter(({ why }) => why === 'No mask of the paid size is left.');
    const byHand = rows.filter(({ state }) => state === 'by_hand' || state === 'settled');
    const excused = [...lacking, ...byHand].map(({ reference }) => reference);
    for (const offer of await readAll()) {
      const payments = paymentsOf(offer.id);
      const { state, shop_order: order } = offer;
      const isByTill = order !== null && order !== 'by hand';
      if (offer.checkout_state === 'paid' && isByTill && offer.paid_size !== null)
        expect(offer.size).toBe(offer.paid_size);
      if (isPass(state) && isByTill)
        expect(payments).toContainEqual(
          expect.objectContaining({ reference: order, cents: 9_900 }),
        );
      // A mask is given on only once the till says that it is not paid.
      if (offer.checkout_state === 'expired')
        for (const { isLate, isRefunded, reference, cents } of payments)
          expect(isLate || isRefunded || cents < 9_900 || excused.includes(reference)).toBe(true);
    }
  }

  /** Once all passes have ended or are paid, and all calls have come through. */
  async function conclude(isCancelled: boolean, how: Move): Promise<void> {
    // Behind a link no pass ends by itself.
    for (const nth of [first, 1 - first, 2, 3]) if (await setTill(nth)) break;
    // Sessions that nobody ends stay open for a day.
    if (isCancelled)
      for (const { code, state } of await readAll())
        if (state === 'accepted')
          await alone((all) => cancelPass(all, code ?? '')).catch(onlyProblems);
    for (let round = 0; round < 8; round += 1) {
      // The last rounds are for what comes late: it is found within minutes, and then given back.
      await (isCancelled || round > 4 ? passMinutes(10) : passDeadline(0));
      await runMortal();
      await compare();
    }
    await leaveTill(isCancelled, how);
    const looked = { next_at: sql<Date>`'-infinity'::timestamptz` };
    for (let round = 0; round < 3; round += 1) {
      await place.database.kysely.updateTable('till_payment').set(looked).execute();
      await runMortal();
    }
    const open = far.fakes.flatMap((fake) => fake.open()).map(({ id }) => id);
    expect(open.sort()).toEqual([...beside].sort());
    const offers = await readAll();
    expect(offers.filter(({ state }) => state === 'accepted')).toEqual([]);
    await checkMoney(offers);
  }

  /** Money moves where it was paid, and goes back there, also once another till sells. */
  async function leaveTill(isCancelled: boolean, how: Move): Promise<void> {
    // Another account of the same kind is refused while money would be overlooked.
    await setTill(first + 2);
    await setTill(1 - first);
    const owed = (await readAll()).filter(({ state, shop_order: order }) => {
      return isPass(state) && order !== null;
    });
    const byHand = owed.filter(({ shop_order: order }) => order === 'by hand');
    const paid = owed.filter((one) => !byHand.includes(one));
    for (const { id } of paid) far.fakes.find((fake) => fake.move(id, how));
    for (const { code } of [...byHand, ...(isCancelled ? paid : [])])
      await alone((all) => cancelPass(all, code ?? ''));
  }

  /** Whatever was paid is kept for a mask, went back, or waits for the word of the owner. */
  async function checkMoney(offers: Awaited<ReturnType<typeof readAll>>): Promise<void> {
    const rows = await readRows();
    const ours = offers.flatMap(({ id }) => paymentsOf(id));
    const taken = ours.filter(({ cents }) => cents > 0);
    const byHand = rows.filter(({ id }) => id.startsWith('order/'));
    expect(rows.filter((row) => !byHand.includes(row) && row.cents !== 0).map(referenceOf)).toEqual(
      expect.arrayContaining(taken.map(referenceOf)),
    );
    const known = new Set(ours.map(referenceOf));
    for (const row of rows) if (!byHand.includes(row)) expect(known.has(row.reference)).toBe(true);
    for (const { reference, refundedCents, disputedCents, isRefunded, isStuck, ...far } of taken) {
      const row = rows.find((one) => one.reference === reference);
      expect(row).toMatchObject({
        ...{ refunded_cents: refundedCents, disputed_cents: disputedCents, cents: far.cents },
      });
      const isPaying = offers.some(
        ({ shop_order: order, state }) => order === reference && isPass(state),
      );
      const hasMoved = refundedCents + disputedCents > 0;
      const isAsked = row?.state === 'by_hand' || row?.state === 'settled';
      if (isPaying) expect(hasMoved ? isAsked : row?.state === 'kept' || isAsked).toBe(true);
      else expect(isRefunded ? row?.state === 'refunded' || isAsked : isAsked).toBe(true);
      // The owner is asked for nothing that the till can do.
      if (row?.state === 'by_hand' && !isPaying && !isStuck && far.cents === 9_900)
        expect(row.why).toMatch(/^The refund failed/);
    }
    // An order of another shop that paid a pass is asked about once the pass is cancelled.
    const owed = offers.filter(
      ({ shop_order: order, state }) => order === 'by hand' && state === 'cancelled',
    );
    expect(byHand.map(({ offer_id: id }) => id).sort()).toEqual(owed.map(({ id }) => id).sort());
    for (const fake of far.fakes)
      for (const { reference, refundedCents } of fake.payments())
        if (strange.includes(reference)) expect(refundedCents).toBe(0);
  }
});

const referenceOf = ({ reference }: { readonly reference: string }) => reference;

/** What a server that died has just committed may refuse a step. */
function onlyProblems(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}

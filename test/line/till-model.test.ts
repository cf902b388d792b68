/** Tills whose far sides are fakes, written from the public API descriptions of the vendors. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand as ownBrand } from '../../brand/brand.ts';
import type { Database } from '../../server/db/database.ts';
import { inTransaction, type Transaction } from '../../server/db/transaction.ts';
import { makeOffers } from '../../server/drop/offers/make-offers.ts';
import { cancelPass, redeemPass } from '../../server/drop/offers/passes.ts';
import { acceptOffer } from '../../server/drop/offers/settle-offer.ts';
import { startOffers } from '../../server/drop/offers/start-offers.ts';
import { listSizes, setStock } from '../../server/drop/stock/stock.ts';
import { openTills } from '../../server/drop/till/open-tills.ts';
import { runTill } from '../../server/drop/till/run-till.ts';
import { openSetTill } from '../../server/drop/till/set-till.ts';
import { hurryCheckout } from '../../server/drop/till/till-store.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import { prepareLine } from '../../server/prepare-line.ts';
import { Problem } from '../../server/problem.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { FAULTS, type FakeFarSide, Killed } from '../support/fake-far-side.ts';
import { TILLS } from '../support/fake-tills.ts';
import { keepFinds } from '../support/keep-finds.ts';
import { isAll, isLong } from '../support/test-form.ts';
import { ENTRANTS, SIZES, selectMembers } from './offer-steps.ts';

const HISTORIES = isLong ? 10_000 : isAll ? 120 : 25;
const MINUTE = 60_000;
/** The clocks of both sides differ by no more. */
const MAX_LAG_MINUTES = 8;
const SECRET = 'a secret key of at least thirty-two characters';
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
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('pay'), entrant, isOld: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('notice'), entrant }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('clock'), minutes: fc.constantFrom(3, 480) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deadline'), lag: fc.nat({ max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('redeem'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resize'), entrant }) },
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
  let fake: FakeFarSide;
  /** Every link that a member was shown, the newest last. */
  let shown: Map<string, string[]>;
  let byHand: string[];
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
    const tills = fc.nat({ max: TILLS.length - 1 });
    await fc.assert(
      fc.asyncProperty(histories, fc.boolean(), tills, async (steps, isCancelled, till) => {
        await begin(till);
        for (const one of steps) {
          await take(one);
          await compare();
        }
        await conclude(isCancelled);
      }),
      keepFinds<[Step[], boolean, number]>({ numRuns: HISTORIES }),
    );
  });

  const alone = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    inTransaction(place.database, work);

  async function begin(nth: number): Promise<void> {
    const till = TILLS[nth];
    if (till === undefined) throw new Error(`There is no till ${nth}.`);
    fake = till.open();
    shown = new Map();
    byHand = [];
    lag = 0;
    const { kysely } = place.database;
    for (const table of ['till_payment', 'till'] as const) await kysely.deleteFrom(table).execute();
    const wish = { sizes: [], takes_any: true, chosen_size: null };
    await selectMembers(
      place.database,
      memberIds,
      memberIds.map(() => wish),
      SIZES.map(stockOf),
    );
    for (const size of SIZES)
      await alone((transaction) =>
        setStock(transaction, { size, stock: stockOf(size), maskCount: 100 }),
      );
    await alone((transaction) =>
      openSetTill({ secretKey: SECRET }).apply(transaction, till.input, undefined as never),
    );
    await alone((transaction) => startOffers(transaction, { minutes: 20_000, time_zone: 'UTC' }));
    await alone(makeOffers);
    for (const memberId of memberIds.slice(0, 3))
      await alone((transaction) => acceptOffer(transaction, memberId));
    await runMortal();
    await noteLinks();
  }

  async function take(one: Step): Promise<void> {
    if (one.kind === 'run') {
      fake.faults.push(...one.faults);
      await Promise.all(Array.from({ length: one.servers }, runMortal));
      fake.faults.length = 0;
      return await noteLinks();
    }
    if (one.kind === 'clock') return await passMinutes(one.minutes);
    if (one.kind === 'deadline') return await passDeadline(one.lag);
    if (one.kind === 'by hand') return void byHand.push(fake.payByHand());
    const memberId = memberIds[one.entrant] ?? '';
    if (one.kind === 'pay') {
      const links = shown.get(memberId) ?? [];
      const link = links.at(one.isOld ? 0 : -1);
      if (link !== undefined) fake.pay(link);
      return;
    }
    if (one.kind === 'notice') {
      const [checkout] = (await readAll()).filter(({ member_id: id }) => id === memberId);
      return await hurryCheckout(place.database, checkout?.far_id ?? '');
    }
    // The embedded engine has one connection: a read beside the transaction would wait for ever.
    const own = (await readAll()).find(({ member_id: id }) => id === memberId);
    await alone(async (transaction) => {
      if (one.kind === 'accept') return await acceptOffer(transaction, memberId);
      if (one.kind === 'redeem')
        return await redeemPass(transaction, { code: own?.code ?? '', order: 'by hand' });
      if (one.kind === 'cancel') return await cancelPass(transaction, own?.code ?? '');
      const size = own?.size === 'Small' ? 'Medium' : 'Small';
      const free = (await listSizes({ kysely: transaction })).find(({ name }) => name === size);
      if (own?.state === 'accepted' && (free?.available ?? 0) > 0)
        await sql`update offer set size = ${size} where id = ${own.id}`.execute(transaction);
    }).catch(onlyProblems);
    if (one.kind === 'cancel') await alone(makeOffers);
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
    const tills = openTills({
      ...{ database, secretKey: SECRET, shopUrl: null, brandName: brand.name },
      publicUrl: 'https://line.example.com',
      fetch: async (url, init) => {
        if (isDead) throw new Killed();
        return await fake.fetch(url, init).catch((error) => {
          isDead ||= error instanceof Killed;
          throw error;
        });
      },
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
    fake.passMs((minutes - slow) * MINUTE);
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
      update till set chosen_at = chosen_at - ${by}, compare_at = compare_at - ${by},
        compared_at = compared_at - ${by}
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

  async function referencesOf(column: 'state' | 'why', value: string): Promise<string[]> {
    const payments = place.database.kysely.selectFrom('till_payment').where(column, '=', value);
    return (await payments.select('reference').execute()).map(({ reference }) => reference);
  }

  async function compare(): Promise<void> {
    for (const { available } of await listSizes(place.database))
      expect(available).toBeGreaterThanOrEqual(0);
    const lacking = await referencesOf('why', 'No mask of the paid size is left.');
    for (const offer of await readAll()) {
      const payments = fake.payments().filter(({ offerId }) => offerId === offer.id);
      const isByTill = offer.shop_order !== 'by hand';
      if (offer.checkout_state === 'paid' && isByTill && offer.paid_size !== null)
        expect(offer.size).toBe(offer.paid_size);
      const sale = { reference: offer.shop_order, isRefunded: false };
      if (offer.state === 'paid' && isByTill)
        expect(payments).toContainEqual(expect.objectContaining(sale));
      // A mask is given on only once the till says that it is not paid.
      if (offer.checkout_state === 'expired')
        for (const { isLate, reference } of payments)
          expect(isLate || lacking.includes(reference)).toBe(true);
    }
  }

  /** Once all passes have ended or are paid, and all calls have come through. */
  async function conclude(isCancelled: boolean): Promise<void> {
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
    expect(fake.open()).toEqual([]);
    const offers = await readAll();
    expect(offers.filter(({ state }) => state === 'accepted')).toEqual([]);
    const kept = fake.payments().filter(({ isRefunded }) => !isRefunded);
    const sold = offers.flatMap(({ state, shop_order: order }) =>
      state === 'paid' && order !== 'by hand' ? [order] : [],
    );
    expect(kept.map(({ reference }) => reference).sort()).toEqual([...sold, ...byHand].sort());
    expect((await referencesOf('state', 'foreign')).sort()).toEqual([...byHand].sort());
  }
});

/** What a server that died has just committed may refuse a step. */
function onlyProblems(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}

/** A line whose till sells at fakes of far sides, as the steps of a history use it. */
import { sql } from 'kysely';
import { pino } from 'pino';
import { brand as ownBrand } from '../../brand/brand.ts';
import type { CheckoutState, DropState, OfferState } from '../../contract/drop/states.ts';
import type { ChangeInput } from '../../contract/operator/changes.ts';
import type { PaymentState } from '../../contract/operator/drop/till.ts';
import type { Database } from '../../server/db/database.ts';
import { inTransaction, type Transaction } from '../../server/db/transaction.ts';
import { openTills, type Tills } from '../../server/drop/till/open-tills.ts';
import { runTill } from '../../server/drop/till/run-till.ts';
import { openSetTill } from '../../server/drop/till/set-till.ts';
import { TillError } from '../../server/drop/till/till.ts';
import { Problem } from '../../server/problem.ts';
import { codeOf } from '../../server/startup-error.ts';
import type { TestDatabase } from '../support/engines.ts';
import { Killed } from '../support/fake-far-side.ts';
import { ACCOUNTS, type openFarSides } from '../support/fake-tills.ts';
import { SIZES } from './offer-steps.ts';

export const MINUTE_MS = 60_000;
const DEADLOCK = '40P01';
export const SECRET = 'a secret key of at least thirty-two characters';
const LINK: ChangeInput<'set-till'> = { link: { reports: false } };

export const brand = {
  ...ownBrand,
  sizes: SIZES.map((name) => ({ name, stock: 2 })),
  maskCount: 100,
};
export const log = pino({ level: 'silent' });

type Look = {
  readonly offers: readonly {
    readonly id: string;
    readonly member_id: string;
    readonly state: OfferState;
    readonly size: string;
    readonly code: string | null;
    readonly shop_order: string | null;
    readonly checkout_state: CheckoutState | null;
    readonly paid_size: string | null;
    readonly far_id: string | null;
    readonly link: string | null;
  }[];
  /** The entries by card. */
  readonly entries: readonly {
    readonly id: string;
    readonly member_id: string;
    readonly state: CheckoutState;
    readonly far_id: string | null;
    readonly link: string | null;
  }[];
  readonly drop_state: DropState;
  readonly payments: readonly {
    readonly id: string;
    readonly offer_id: string | null;
    readonly reference: string;
    readonly state: PaymentState;
    readonly cents: number | null;
    readonly refunded_cents: number;
    readonly disputed_cents: number;
    readonly why: string | null;
  }[];
  /** Why the last comparison at the account that sells failed, if it did. */
  readonly failure: string | null;
};
/** One round trip: a history looks after each step. */
const LOOK = `
  with offers as (
    select offer.id, offer.member_id, offer.state, offer.size, code, shop_order,
      checkout.state as checkout_state, checkout.size as paid_size, far_id, link
    from offer left join checkout on offer_id = offer.id order by offered_at desc),
  entries as (
    select offer_id as id, member_id, state, far_id, link from checkout
    where member_id is not null)
  select coalesce((select json_agg(offers) from offers), '[]') as offers,
    coalesce((select json_agg(entries) from entries), '[]') as entries,
    (select state from mask_drop) as drop_state,
    coalesce((select json_agg(till_payment) from till_payment), '[]') as payments,
    (select failure from till_account where left_at is null)`;

/** What is there beside the database. */
export type World = { far: ReturnType<typeof openFarSides>; publicUrl: string };
export type TillLine = ReturnType<typeof openTillLine>;

export function openTillLine(place: TestDatabase, world: World) {
  const { database } = place;
  const alone = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    inTransaction(database, work);

  const openServer = (of: Database, fetch = world.far.fetch): Tills =>
    openTills({
      database: of,
      secretKey: SECRET,
      shopUrl: null,
      brandName: brand.name,
      language: 'en',
      publicUrl: world.publicUrl,
      fetch,
    });

  /** A server whose database is gone once it is killed. */
  async function run(): Promise<void> {
    let isDead = false;
    const mortal: Database = Object.create(database, {
      kysely: {
        get() {
          if (isDead) throw new Killed();
          return database.kysely;
        },
      },
    });
    const tills = openServer(mortal, async (url, init) => {
      if (isDead) throw new Killed();
      return await world.far.fetch(url, init).catch((error) => {
        isDead ||= error instanceof Killed;
        throw error;
      });
    });
    await runTill({ database: mortal, tills, log }).catch((error) => {
      if (!(error instanceof Killed)) throw error;
    });
  }

  /** Returns whether it was taken. A server runs until it is, if it is racing. */
  async function setTill(
    nth: number,
    { isRacing = false, isOther = false }: { isRacing?: boolean; isOther?: boolean } = {},
  ): Promise<boolean> {
    const operation = openSetTill({ tills: openServer(database), secretKey: SECRET });
    const account = ACCOUNTS[nth];
    const input = (isOther ? account?.other : account?.input) ?? LINK;
    try {
      const read = (await operation.read?.(input, false)) as never;
      await alone(async (transaction) => {
        await operation.apply(transaction, input, read);
        // The embedded engine has one connection, which the transaction has.
        if (isRacing && database.engine === 'postgres') await run();
      });
      return true;
    } catch (error) {
      onlyProblems(error);
      return false;
    }
  }

  /** The till makes a checkout and ends it, unless something is between. */
  async function tryTill(): Promise<void> {
    const tills = openServer(database);
    const till = await tills.open(await tills.chosen());
    await till.check(SIZES).catch((error) => {
      if (!(error instanceof TillError || error instanceof Killed)) throw error;
    });
  }

  /** Sets its clock forward, so to speak, once what a server that died has begun is over. */
  async function passMinutes(minutes: number): Promise<void> {
    const by = sql`make_interval(mins => ${minutes}::integer)`;
    const pass = sql`
      with offers as (update offer set settled_at = settled_at - ${by}),
        payments as (
          update till_payment set next_at = next_at - ${by}, held_until = held_until - ${by}),
        accounts as (
          update till_account set chosen_at = chosen_at - ${by}, left_at = left_at - ${by},
            compare_at = compare_at - ${by}, compared_at = compared_at - ${by}),
        drops as (
          update mask_drop
          set enter_until = enter_until - ${by}, selected_at = selected_at - ${by}),
        home as (update line_home set copy_since = copy_since - ${by})
      update checkout set pay_by = pay_by - ${by}, ends_at = ends_at - ${by},
        next_at = next_at - ${by}, held_until = held_until - ${by}, remind_at = remind_at - ${by},
        capture_before = capture_before - ${by}
    `;
    await pass.execute(database.kysely).catch(async (error: unknown) => {
      if (codeOf(error) !== DEADLOCK) throw error;
      await passMinutes(minutes);
    });
  }

  /** Until the next pay-by time is over, and a minute. */
  async function readMinutesToDeadline(): Promise<number> {
    const { rows } = await sql<{ minutes: number | null }>`
      select ceil(extract(epoch from min(pay_by) - clock_timestamp()) / 60)::integer + 1 as minutes
      from checkout where state in ('wanted', 'created') and pay_by > clock_timestamp()
    `.execute(database.kysely);
    return rows[0]?.minutes ?? 1;
  }

  return {
    ...place,
    alone,
    run,
    setTill,
    tryTill,
    passMinutes,
    readMinutesToDeadline,
    async look(): Promise<Look> {
      const { rows } = await database.runSql<Look>(LOOK);
      return rows[0] as Look;
    },
  };
}

/** What a server that died has just committed may refuse a step. */
export function onlyProblems(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}

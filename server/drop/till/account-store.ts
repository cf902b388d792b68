import { sql } from 'kysely';
import type { TillKind, TillSettings } from '../../../contract/operator/drop/till.ts';
import type { Reader } from '../../db/database.ts';
import { all, first, only, run } from '../../db/rows.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Cost, Price } from '../offers/offer-rules.ts';

/** Who is paid, as the vendor says. */
export type Identity = { readonly farId: string; readonly isLive: boolean };

export type Account = {
  readonly id: string;
  readonly kind: TillKind;
  /** Both null for the link of SHOP_URL. */
  readonly far_id: string | null;
  readonly is_live: boolean | null;
  /** They have the price of a mask where the vendor tells it. */
  readonly settings: (TillSettings[TillKind] & Partial<Cost>) | null;
  readonly keys: string | null;
  /** Sells now; the others stay while a payment is there. */
  readonly is_chosen: boolean;
  readonly line_id: string;
};

export function readAccounts({ kysely }: Reader) {
  return all<Account>(kysely)`
    select id, kind, far_id, is_live, settings, keys, left_at is null as is_chosen,
      (select line_id from line_state) as line_id
    from till_account order by left_at desc nulls first
  `;
}

/** The one that sells. Without any settings it is the link of SHOP_URL. */
export async function readChosen(reader: Reader): Promise<Account> {
  const [account] = await readAccounts(reader);
  if (account === undefined) throw new Error('A line has a till.');
  return account;
}

/** Sentences about the accounts whose keys are missing. */
export async function listKeyless({ kysely }: Reader): Promise<string[]> {
  const rows = await all<{ name: string; is_chosen: boolean }>(kysely)`
    select * from keyless_accounts()
  `;
  return rows.map(({ name, is_chosen: isChosen }) => {
    const without = isChosen ? 'no mask is sold' : 'no refund or dispute there is seen';
    return `${name} has no keys: until you enter them again, ${without}.`;
  });
}

/** What a mask costs at Shopify, which the owner changes there. */
export async function keepCost({ kysely }: Reader, id: string, cost: Cost | null): Promise<void> {
  const costJson = JSON.stringify(cost ?? {});
  await run(kysely)`
    update till_account
    set settings = settings - '{cents,currency,plus}'::text[] || ${costJson}::jsonb
    where id = ${id}::uuid and kind = 'shopify'
  `;
}

type Choice = Pick<Account, 'kind' | 'settings' | 'keys'> & { readonly identity: Identity };

/** Lets this account sell; `known` is its row, if it has sold before. */
export async function chooseAccount(
  transaction: Transaction,
  { kind, settings, keys, identity }: Choice,
  known: Pick<Account, 'id'> | undefined,
): Promise<void> {
  const fields = {
    kind,
    settings: JSON.stringify(settings),
    keys,
    left_at: null,
    failure: null,
    far_id: identity.farId,
    is_live: identity.isLive,
    compare_at: sql<Date>`'-infinity'::timestamptz`,
  };
  await transaction
    .updateTable('till_account')
    .set({ left_at: sql<Date>`clock_timestamp()` })
    .where('left_at', 'is', null)
    .execute();
  await (known === undefined
    ? transaction.insertInto('till_account').values(fields).execute()
    : transaction.updateTable('till_account').set(fields).where('id', '=', known.id).execute());
}

type Held = { readonly open: number; readonly kept: number };

/** What is not settled at an account, and payments that passes of a running drop keep there. */
export function countHeld(transaction: Transaction, accountId: string) {
  return only<Held>(transaction)`
    select (
      (select count(*) from checkout where account_id = ${accountId}::uuid
        and (state in ('created', 'held', 'releasing') or ends_at is not null and state = 'wanted'))
      + (select count(*) from till_payment
        where account_id = ${accountId}::uuid and state = 'to_refund'))::integer as open,
      (select count(*) from till_payment
        join offer on offer.id = offer_id
        join mask_drop on mask_drop.number = offer.drop_number and mask_drop.state <> 'closed'
        where account_id = ${accountId}::uuid and till_payment.state = 'kept')::integer as kept
  `;
}

/** An account that was left is compared for a week, in which late payments are found. */
export function claimComparison({ kysely }: Reader, everyMs: number) {
  return first<{ id: string; since: Date }>(kysely)`
    update till_account
    set compare_at = clock_timestamp() + make_interval(secs => ${everyMs / 1000}::float8)
    where id = (
      select id from till_account where compare_at <= clock_timestamp()
        and (left_at is null or left_at > clock_timestamp() - interval '7 days'
          and keys is not null)
      order by compare_at limit 1 for update skip locked)
    returning id,
      greatest(chosen_at - interval '1 hour', compared_at - interval '7 days') as since
  `;
}

export async function settleComparison(
  { kysely }: Reader,
  id: string,
  failure: string | null,
): Promise<void> {
  await run(kysely)`
    update till_account set failure = ${failure},
      compared_at = case when ${failure}::text is null then clock_timestamp() else compared_at end
    where id = ${id}::uuid
  `;
  // Its keys have no use any more.
  await run(kysely)`
    delete from till_account account where left_at < clock_timestamp() - interval '7 days'
      and not exists (select from checkout where account_id = account.id)
      and not exists (select from till_payment where account_id = account.id)
  `;
}

/** A notice about a sale of this line that no row names yet brings the comparison forward. */
export function hurryComparison({ kysely }: Reader, id: string) {
  return run(kysely)`
    update till_account set compare_at =
      least(compare_at, coalesce(compared_at, '-infinity') + interval '15 seconds')
    where id = ${id}::uuid
  `;
}

/** Whether the server learns of each payment, so that a pass without one is not paid. */
export function tellsUnpaid({ kind, settings }: Pick<Account, 'kind' | 'settings'>): boolean {
  return kind !== 'link' || (settings as TillSettings['link'] | null)?.reports === true;
}

/** What a mask costs, by its checkout once that is made; null where the shop alone says it. */
export function costOf(
  { settings }: Pick<Account, 'settings'>,
  made: Price | null = null,
): Cost | null {
  const cost: Partial<Cost> = settings ?? {};
  const { cents, currency } = made?.cents == null ? cost : made;
  return cents == null || currency == null ? null : { ...cost, cents, currency };
}

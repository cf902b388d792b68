import { type RawBuilder, sql } from 'kysely';
import type { Database, Reader } from '../db/database.ts';
import { all, column, only, run, some } from '../db/rows.ts';
import type { Transaction } from '../db/transaction.ts';
import { MAX_DELAY_MS } from '../retry-delay-rules.ts';

const CLAIM = sql`interval '15 seconds'`;
const MAX_DELAY = sql`${MAX_DELAY_MS} * interval '1 millisecond'`;
/** Until then, new work is left to the server that began it. */
const OWN_FOR = sql`interval '5 seconds'`;
const UNCLAIMED = sql`claim = null, claimed_until = '-infinity'`;

type Queries = Database['kysely'];
export type WorkRef = { readonly kind: string; readonly key: string };
export type ClaimedWork = WorkRef & {
  readonly claim: string;
  readonly progress: unknown;
  readonly failures: number;
};

/** A moment further ahead was written before the clock was set back, and is not ahead. */
export const isAhead = (moment: RawBuilder<unknown>, most: RawBuilder<unknown> = MAX_DELAY) =>
  sql`(${moment} > clock_timestamp() and ${moment} <= clock_timestamp() + 2 * ${most})`;
const IS_CLAIMED = isAhead(sql`claimed_until`, CLAIM);

/** Claims what is due of these kinds, or with a `key` that alone, however it failed before. */
export function claimWork(
  { kysely }: Reader,
  { kinds, key = null }: { readonly kinds: readonly string[]; readonly key?: string | null },
) {
  return all<ClaimedWork>(kysely)`
    update work set claim = gen_random_uuid(), claimed_until = clock_timestamp() + ${CLAIM}
    where (kind, key) in (
      select kind, key from work
      where kind = any(${kinds}::text[]) and not ${IS_CLAIMED}
        and case when ${key}::text is null then not ${isAhead(sql`due_at`)} else key = ${key} end
      for update skip locked)
    returning kind, key, claim, progress, failures
  `;
}

export function renewClaims(
  { kysely }: Reader,
  { kinds, claims }: Readonly<Record<'kinds' | 'claims', readonly string[]>>,
) {
  return run(kysely)`
    update work set claimed_until = clock_timestamp() + ${CLAIM}
    where kind = any(${kinds}::text[]) and claim = any(${claims}::uuid[])
  `;
}

/** Locks the work until the transaction ends. False: another server has claimed it, or it ended. */
export function lockClaim(transaction: Transaction, claim: string) {
  return some(transaction)`select from work where claim = ${claim} for update`;
}

export function isClaimed({ kysely }: Reader, claim: string) {
  return some(kysely)`select from work where claim = ${claim} and ${IS_CLAIMED}`;
}

/** Stores how far the work is. Null: it has ended. */
export function endStep(transaction: Transaction, claim: string, progress: unknown) {
  if (progress === null) return run(transaction)`delete from work where claim = ${claim}`;
  return run(transaction)`
    update work set progress = ${JSON.stringify(progress)}::jsonb, failures = 0,
      claimed_until = clock_timestamp() + ${CLAIM}
    where claim = ${claim}
  `;
}

/** Lets any server go on, at once or after a failure. */
export function releaseClaim({ kysely }: Reader, claim: string, delayMs: number) {
  return run(kysely)`
    update work set ${UNCLAIMED},
      failures = failures + (${delayMs} > 0)::integer,
      due_at = clock_timestamp() + ${delayMs} * interval '1 millisecond'
    where claim = ${claim}
  `;
}

/** Lets what is under way go on from its last step: of this key, or all that a process has left. */
export function releaseWork({ kysely }: Reader, key: string | null = null) {
  return run(kysely)`update work set ${UNCLAIMED} where key = coalesce(${key}, key)`;
}

/** Begins, or begins anew: the steps of what is under way come to nothing. */
export function beginWork(queries: Queries, { kind, key }: WorkRef, progress: unknown) {
  return run(queries)`
    insert into work (kind, key, progress, due_at)
    values (${kind}, ${key}, ${JSON.stringify(progress)}::jsonb, clock_timestamp() + ${OWN_FOR})
    on conflict (kind, key) do update
    set progress = excluded.progress, due_at = excluded.due_at, failures = 0, ${UNCLAIMED}
  `;
}

/** Ends work that is not to be made any more: its steps come to nothing. */
export function dropWork(queries: Queries, kind: string, keys: readonly string[]) {
  return run(queries)`delete from work where kind = ${kind} and key = any(${keys}::text[])`;
}

export function listWork(queries: Queries, kind: string) {
  return column<string>(queries)`select key from work where kind = ${kind} order by key`;
}

export const WORK_GAUGES = {
  waitlist_work_under_way: 'Work under way: long changes, imports and the like.',
  waitlist_work_failing: 'Work under way whose last step failed, and which is tried again.',
};

export function countWork({ kysely }: Reader) {
  return only<Record<keyof typeof WORK_GAUGES, number>>(kysely)`
    select count(*)::integer as waitlist_work_under_way,
      count(*) filter (where failures > 0)::integer as waitlist_work_failing
    from work
  `;
}

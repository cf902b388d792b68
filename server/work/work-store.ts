import { type RawBuilder, sql } from 'kysely';
import type { Database, Reader } from '../db/database.ts';
import { all, column, only, run, some } from '../db/rows.ts';
import type { Transaction } from '../db/transaction.ts';
import { MAX_DELAY_MS } from '../retry-delay-rules.ts';

const CLAIM = sql`interval '15 seconds'`;
const RENEWED_BELOW = sql`interval '10 seconds'`;

type Queries = Database['kysely'];
type WorkRef = { readonly kind: string; readonly key: string };
export type ClaimedWork = WorkRef & {
  readonly claim: string;
  readonly progress: unknown;
  readonly failures: number;
};

/** A moment further ahead was written before the clock was set back, and is not ahead. */
const isAhead = (moment: RawBuilder<unknown>, most: RawBuilder<unknown>) =>
  sql`${moment} > clock_timestamp() and ${moment} <= clock_timestamp() + 2 * ${most}`;
const IS_CLAIMED = isAhead(sql`claimed_until`, CLAIM);
const IS_WAITING = isAhead(sql`due_at`, sql`${MAX_DELAY_MS} * interval '1 millisecond'`);

/** Claims what is due of these kinds, or with a `key` that alone, however it failed before. */
export function claimWork(
  { kysely }: Reader,
  { kinds, key = null }: { readonly kinds: readonly string[]; readonly key?: string | null },
) {
  return all<ClaimedWork>(kysely)`
    update work set claim = gen_random_uuid(), claimed_until = clock_timestamp() + ${CLAIM}
    where (kind, key) in (
      select kind, key from work
      where kind = any(${kinds}::text[]) and not (${IS_CLAIMED})
        and case when ${key}::text is null then not (${IS_WAITING}) else key = ${key} end
      for update skip locked)
    returning kind, key, claim, progress, failures
  `;
}

/** Renews claims that end soon. */
export function renewClaims(
  { kysely }: Reader,
  { kinds, claims }: Readonly<Record<'kinds' | 'claims', readonly string[]>>,
) {
  return run(kysely)`
    update work set claimed_until = clock_timestamp() + ${CLAIM}
    where kind = any(${kinds}::text[]) and claim = any(${claims}::uuid[])
      and claimed_until < clock_timestamp() + ${RENEWED_BELOW}
  `;
}

/** Locks the work until the transaction ends. False: another server has claimed it, or it ended. */
export function lockClaim(transaction: Transaction, claim: string) {
  return some(transaction)`select from work where claim = ${claim} for update`;
}

export function isClaimed({ kysely }: Reader, claim: string) {
  return some(kysely)`select from work where claim = ${claim} and ${IS_CLAIMED}`;
}

export function saveProgress(transaction: Transaction, claim: string, progress: unknown) {
  return run(transaction)`
    update work set progress = ${JSON.stringify(progress)}::jsonb, failures = 0,
      claimed_until = clock_timestamp() + ${CLAIM}
    where claim = ${claim}
  `;
}

export function endWork(transaction: Transaction, claim: string) {
  return run(transaction)`delete from work where claim = ${claim}`;
}

/** Lets any server go on, at once or after a failure. */
export function releaseClaim({ kysely }: Reader, claim: string, delayMs = 0) {
  return run(kysely)`
    update work set claim = null, claimed_until = '-infinity',
      failures = failures + (${delayMs} > 0)::integer,
      due_at = clock_timestamp() + ${delayMs} * interval '1 millisecond'
    where claim = ${claim}
  `;
}

/** Lets what is under way go on from its last step: of this key, or all that a process has left. */
export function releaseWork({ kysely }: Reader, key: string | null = null) {
  return run(kysely)`
    update work set claim = null, claimed_until = '-infinity'
    where key = coalesce(${key}, key)
  `;
}

/** Begins, or begins anew: the steps of what is under way come to nothing. */
export function beginWork(
  queries: Queries,
  { kind, key }: WorkRef,
  { progress, delayMs }: { readonly progress: unknown; readonly delayMs: number },
) {
  return run(queries)`
    insert into work (kind, key, progress, due_at)
    values (${kind}, ${key}, ${JSON.stringify(progress)}::jsonb,
      clock_timestamp() + ${delayMs} * interval '1 millisecond')
    on conflict (kind, key) do update set progress = excluded.progress, due_at = excluded.due_at,
      claim = null, claimed_until = '-infinity', failures = 0
  `;
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

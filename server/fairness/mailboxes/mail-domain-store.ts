import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

const WALKED_AT_ONCE = 250;

/** One index entry each. `end` is where to go on, and null at the last domain. */
export async function readDueDomains(
  { kysely }: Database,
  after: string,
): Promise<{ readonly due: readonly string[]; readonly end: string | null }> {
  const { rows } = await sql<{ domain: string; is_due: boolean }>`
    with recursive walked (domain, step) as (
      select ${after}::text collate "C", 0
      union all
      select next.domain, step + 1
      from walked cross join lateral (
        select split_part(email_identity, '@', 2) as domain from member
        where credit = 'given' and confirmed_at is not null
          and split_part(email_identity, '@', 2) > walked.domain
        order by 1 limit 1
      ) next
      where step < ${WALKED_AT_ONCE}::integer
    )
    select domain, own.kind <> 'costly' and not exists (
      select from mail_domain known
      where known.domain = walked.domain and check_at > clock_timestamp() offset 0) as is_due
    from walked cross join lateral domain_kind(domain) own
    where step > 0 order by step
  `.execute(kysely);
  return {
    due: rows.filter(({ is_due }) => is_due).map(({ domain }) => domain),
    end: rows.length < WALKED_AT_ONCE ? null : (rows.at(-1)?.domain ?? null),
  };
}

/** Kind null: nobody answered, and what was known stays. */
export async function storeMailDomain(
  { kysely }: Database,
  {
    domain,
    kind,
    againInMs,
  }: { domain: string; kind: 'hosted' | 'open' | null; againInMs: number },
): Promise<void> {
  await sql`
    insert into mail_domain (domain, kind, check_at)
    values (${domain}, coalesce(${kind}::text, 'open'),
      clock_timestamp() + ${againInMs}::bigint * interval '1 millisecond')
    on conflict (domain) do update
    set kind = coalesce(${kind}::text, mail_domain.kind), check_at = excluded.check_at
  `.execute(kysely);
}

export async function deleteUnusedDomains({ kysely }: Database): Promise<void> {
  await sql`delete from mail_domain where check_at < clock_timestamp() - interval '1 day'`.execute(
    kysely,
  );
}

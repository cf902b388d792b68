import { sql } from 'kysely';
import type { FirstMember } from '../../../contract/operator/credits/first-in-line.ts';
import type { Database } from '../../db/database.ts';
import { isoTime } from '../../db/iso-time.ts';
import type { Friend } from './first-rules.ts';

const MAX_READ = 200;
const MAX_CHAIN = 10;

export type FirstRow = Pick<FirstMember, 'chain' | 'looked' | 'is_on_hold'> & {
  readonly id: string;
  readonly friends: Omit<FirstMember['friends'], 'counting'>;
};

export async function readCounts(
  { kysely }: Database,
  ids: readonly string[],
): Promise<FirstRow[]> {
  const { rows } = await sql<FirstRow>`
    select wanted.id, to_json(friends) as friends, chain.length as chain,
      exists (select from code_hold where member_id = wanted.id) as is_on_hold,
      (
        select json_build_object(
          'by', entry.actor_name, 'at', ${isoTime(sql`entry.at`)}, 'change', entry.sequence,
          'friends_since', (
            select count(*) from member friend
            where referrer_id = wanted.id and joined_at > entry.at))
        from audit_entry entry
        where subject_kind = 'member' and subject_id = wanted.id::text
          and action = 'look-at-member'
          and not exists (
            select from audit_entry undo
            where undo.subject_kind = 'change' and undo.subject_id = entry.sequence::text
              and undo.action = 'undo')
        order by sequence desc limit 1
      ) as looked
    from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (
      select count(*) as joined, count(confirmed_at) as confirmed,
        count(*) filter (where credit = 'held') as held,
        count(*) filter (where credit = 'refused') as refused
      from member where referrer_id = wanted.id
    ) friends
    cross join lateral (
      with recursive inviter as (
        select referrer_id as id, 1 as place from member where id = wanted.id
        union all
        select member.referrer_id, inviter.place + 1
        from inviter cross join lateral (
          select referrer_id, email_identity from member where id = inviter.id offset 0
        ) member
        where inviter.place <= ${MAX_CHAIN}::integer
          and mailbox_kind(member.email_identity) = 'open'
      )
      select count(*) - 1 as length from inviter
    ) chain
  `.execute(kysely);
  return rows;
}

type FriendRow = Omit<Friend, 'isOpen'> & { readonly referrerId: string };

export async function readFriends(
  { kysely }: Database,
  referrerIds: readonly string[],
): Promise<FriendRow[]> {
  const { rows } = await sql<FriendRow>`
    select wanted.id as "referrerId", friend.credit,
      extract(epoch from friend.joined_at)::float8 * 1000 as "joinedMs",
      split_part(friend.email_identity, '@', 2) as domain,
      friend.confirmed_at is not null as "isConfirmed",
      nullif(trace.narrow, 0)::text || ' ' || trace.key_id as network,
      nullif(trace.hints, 0)::text || ' ' || trace.key_id as browser,
      coalesce(not known.holds and known.rules <> '{}', false) as "isNearMiss"
    from unnest(${referrerIds}::uuid[]) as wanted (id)
    cross join lateral (
      select id, credit, joined_at, confirmed_at, email_identity from member
      where referrer_id = wanted.id order by right(id::text, 12) limit ${MAX_READ}::integer
    ) friend
    left join lateral (
      select key_id, narrow, hints from join_trace where member_id = friend.id offset 0
    ) trace on true
    left join lateral (
      select holds, rules from credit_case where member_id = friend.id offset 0
    ) known on true
  `.execute(kysely);
  return rows;
}

export async function findOpenDomains(
  { kysely }: Database,
  domains: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ domain: string }>`
    select domain from unnest(${domains}::text[]) as domain
    where mailbox_kind('@' || domain) = 'open'
  `.execute(kysely);
  return new Set(rows.map(({ domain }) => domain));
}

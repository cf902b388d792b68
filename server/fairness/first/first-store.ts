import { sql } from 'kysely';
import type { FirstMember } from '../../../contract/operator/first-in-line.ts';
import type { Database } from '../../db/database.ts';
import { isoTime } from '../../db/iso-time.ts';
import { all } from '../../db/rows.ts';
import { registrableName } from '../../mail/mail-provider-rules.ts';
import type { Person } from './first-rules.ts';

const MAX_READ = 200;

export type FirstRow = Pick<FirstMember, 'looked' | 'invited_by'> & {
  readonly id: string;
  readonly friends: Omit<FirstMember['friends'], 'counting'>;
};

export function readCounts({ kysely }: Database, ids: readonly string[]) {
  return all<FirstRow>(kysely)`
    select wanted.id, to_json(friends) as friends, (
        select json_build_object('id', inviter.id, 'email', inviter.email)
        from (select referrer_id from member where id = wanted.id offset 0) own
        cross join lateral (
          select id, email from member where id = own.referrer_id offset 0
        ) inviter
      ) as invited_by,
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
  `;
}

type PersonRow = Omit<Person, 'domain'> & { readonly host: string };

const personColumns = sql`
  one.id, extract(epoch from one.joined_at)::float8 * 1000 as "joinedMs",
  one.confirmed_at is not null as "isConfirmed", split_part(one.email_identity, '@', 2) as host,
  (select network from join_trace where member_id = one.id offset 0) as network`;

const personOf = <Row extends PersonRow>({ host, ...row }: Row) => ({
  ...row,
  domain: registrableName(host),
});

export async function readPeople(
  { kysely }: Database,
  ids: readonly string[],
): Promise<readonly Person[]> {
  const rows = await all<PersonRow>(kysely)`
    select ${personColumns},
      (select referral_code from member where id = one.referrer_id offset 0) as code
    from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (select * from member where id = wanted.id offset 0) one
  `;
  return rows.map(personOf);
}

export async function readFriends(
  { kysely }: Database,
  referrerIds: readonly string[],
): Promise<readonly (Person & { readonly referrerId: string })[]> {
  const rows = await all<PersonRow & { referrerId: string }>(kysely)`
    select wanted.id as "referrerId", ${personColumns}, null as code
    from unnest(${referrerIds}::uuid[]) as wanted (id)
    cross join lateral (
      select id, joined_at, confirmed_at, email_identity from member
      where referrer_id = wanted.id order by right(id::text, 12) limit ${MAX_READ}::integer
    ) one
  `;
  return rows.map(personOf);
}

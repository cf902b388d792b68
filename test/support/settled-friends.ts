/** Puts members with given friends in line, without joins. */
import { sql } from 'kysely';
import type { Database } from '../../server/db/database.ts';

export type Friend = {
  /** Mailboxes of a name that begins with "hosted" are charged for. */
  readonly domain: string;
  /** Index of an earlier one. */
  readonly referrer: number | null;
  readonly credit?: 'given' | 'held';
  /** Null: has not confirmed. */
  readonly confirmedMinute: number | null;
};

/** Puts them in line, and answers their ids in this order. */
export async function insertFriends(
  { kysely }: Database,
  friends: readonly Friend[],
): Promise<string[]> {
  const people = friends.map((friend, index) => ({
    name: `ghost${index}`,
    domain: friend.domain,
    referrer: friend.referrer === null ? null : friend.referrer + 1,
    credit: friend.referrer === null ? 'none' : (friend.credit ?? 'given'),
    confirmed_minute: friend.confirmedMinute,
  }));
  return await kysely.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string }>`
      with made as materialized (
        select line.next_sequence + number - 1 as sequence,
          ('01900000-0000-7000-8000-' || lpad(to_hex(line.next_sequence + number), 12, '0'))::uuid
            as id, person.*
        from line_state line, rows from (json_to_recordset(${JSON.stringify(people)}::json) as (
          name text, domain text, referrer integer, credit text, confirmed_minute integer
        )) with ordinality as person (
          name, domain, referrer, credit, confirmed_minute, number)
      ), counted as (
        select made.*, inviter.id as referrer_id, (
          select count(*)::integer from made friend
          where friend.referrer = made.number and friend.credit = 'given') as friends
        from made left join made inviter on inviter.number = made.referrer
      ), stood as (
        insert into standing (member_id, sort_key, referral_count)
        select counted.id, sort_key_of(sequence, friends, referrer is not null, 0), friends
        from counted
      )
      insert into member (id, sequence, joined_at, join_position, request_hash, confirmed_at,
        referrer_id, is_invited, credit, email, email_identity, referral_code)
      select id, sequence, now(), sequence, id,
        timestamptz '2026-11-01' + confirmed_minute * interval '1 minute',
        referrer_id, referrer_id is not null, credit, name || sequence || '@' || domain,
        name || sequence || '@' || domain, 'CODE' || sequence
      from counted order by number
      returning id`.execute(transaction);
    return rows.map(({ id }) => id).sort();
  });
}

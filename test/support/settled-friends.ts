/** Puts members with friends in line, without joins. */
import { sql } from 'kysely';
import type { Database } from '../../server/db/database.ts';
import { proveMailboxes } from '../../server/line/credits/prove-mailboxes.ts';

export type Friend = {
  readonly domain: string;
  /** Left out: a name that nobody else has. */
  readonly name?: string;
  /** Index of an earlier one. */
  readonly referrer: number | null;
  readonly credit?: 'given' | 'held';
  /** Null: has not confirmed. */
  readonly confirmedMinute: number | null;
};

/** Puts them in line, and answers their ids in this order. */
export async function insertFriends(
  database: Database,
  friends: readonly Friend[],
): Promise<string[]> {
  const people = friends.map((friend, index) => ({
    email: `${friend.name ?? `ghost${index}`}@${friend.domain}`,
    referrer: friend.referrer === null ? null : friend.referrer + 1,
    credit: friend.referrer === null ? 'none' : (friend.credit ?? 'given'),
    confirmed_minute: friend.confirmedMinute,
  }));
  const ids = await database.kysely.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string }>`
      with made as materialized (
        select line.next_sequence + number - 1 as sequence,
          ('01900000-0000-7000-8000-' || lpad(to_hex(line.next_sequence + number), 12, '0'))::uuid
            as id, person.*
        from line_state line, rows from (json_to_recordset(${JSON.stringify(people)}::json) as (
          email text, referrer integer, credit text, confirmed_minute integer
        )) with ordinality as person (email, referrer, credit, confirmed_minute, number)
      ), stood as (
        insert into standing (member_id, sort_key)
        select id, sort_key_of(sequence, 0, referrer is not null, 0) from made
      )
      insert into member (id, sequence, joined_at, join_position, request_hash, confirmed_at,
        referrer_id, is_invited, credit, email, email_identity, referral_code)
      select made.id, made.sequence, now(), made.sequence, made.id,
        timestamptz '2026-11-01' + made.confirmed_minute * interval '1 minute',
        inviter.id, inviter.id is not null, made.credit, made.email, made.email,
        'CODE' || made.sequence
      from made left join made inviter on inviter.number = made.referrer order by made.number
      returning id`.execute(transaction);
    await sql`insert into credit_case (member_id, decided_at, decided_by)
      select id, now(), 'operator' from member
      where credit = 'held' and id = any(${rows.map(({ id }) => id)}::uuid[])
    `.execute(transaction);
    await sql`select rebuild_line()`.execute(transaction);
    return rows.map(({ id }) => id).sort();
  });
  await proveMailboxes(database);
  return ids;
}

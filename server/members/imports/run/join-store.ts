/** Members from rows of a checked list, a piece at a time. The caller holds the line lock. */
import { sql } from 'kysely';
import type { MailKind } from '../../../../contract/mails.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { Draft, ListRow } from './piece-rules.ts';

/** Mails of one row of the outbox. */
const MAILS_PER_BATCH = 256;

/** The next rows in the order of joining. Places have no gaps. */
export async function readRows(
  transaction: Transaction,
  { importId, after, limit }: { importId: string; after: number; limit: number },
): Promise<ListRow[]> {
  const { rows } = await sql<ListRow>`
    select row.ordinal, row.place, row.member_id, known.id as known_id, row.referrer_ordinal,
      inviting.place as referrer_place, inviting.fault is null as is_referrer_imported,
      referrer.id as referrer_id
    from (
      select * from list_import_row
      where import_id = ${importId} and place > ${after}::integer
        and place <= ${after + limit}::integer and fault is null
      offset 0
    ) row
    left join lateral (
      select id from member where email_identity = row.email_identity offset 0
    ) known on true
    left join lateral (
      select place, fault, member_id from list_import_row
      where import_id = row.import_id and ordinal = row.referrer_ordinal offset 0
    ) inviting on true
    left join lateral (
      select id from member where id = coalesce(inviting.member_id, row.referrer_id) offset 0
    ) referrer on true
    order by row.place
  `.execute(transaction);
  return rows;
}

/** These rows do not join: from now on they stand for the members that their addresses have. */
export async function leaveOut(
  transaction: Transaction,
  importId: string,
  rows: readonly ListRow[],
): Promise<void> {
  const met = JSON.stringify(rows);
  await sql`
    update list_import_row row set fault = 'joined_meanwhile', member_id = met.known_id
    from json_to_recordset(${met}) as met (ordinal integer, known_id uuid)
    where row.import_id = ${importId} and row.ordinal = met.ordinal
  `.execute(transaction);
  await sql`
    with lost as (
      update list_import_row row set friends = row.friends - met.friends
      from (
        select referrer_ordinal, count(*) as friends
        from json_to_recordset(${met}) as met (referrer_ordinal integer)
        where referrer_ordinal is not null group by referrer_ordinal
      ) met
      where row.import_id = ${importId} and row.ordinal = met.referrer_ordinal
      returning row.fault, row.member_id, row.friends
    )
    update notification_state known set referral_count = lost.friends
    from lost where lost.fault is null and known.member_id = lost.member_id
  `.execute(transaction);
}

/** The next sequence and the length of the line. */
export async function readLineEnd(
  transaction: Transaction,
): Promise<{ next: number; total: number }> {
  const { rows } = await sql<{ next: number; total: number }>`
    select next_sequence as next, total from line_state`.execute(transaction);
  return rows[0] as { next: number; total: number };
}

export type Joining = {
  readonly importId: string;
  /** Of the line, before this piece. */
  readonly total: number;
  readonly isConfirmed: boolean;
  readonly givesCredit: boolean;
};

export async function insertStandings(
  transaction: Transaction,
  drafts: readonly Draft[],
): Promise<void> {
  await sql`
    insert into standing (member_id, sort_key, referral_count)
    select member_id, sort_key_of(formula, sequence, credits, is_invited, 0), credits
    from line_state formula, json_to_recordset(${JSON.stringify(drafts)}) as draft (
      member_id uuid, sequence bigint, is_invited boolean, credits integer)
    order by sequence
  `.execute(transaction);
}

/** After their standings. Whoever had friends in the old list knows of them. */
export async function insertMembers(
  transaction: Transaction,
  drafts: readonly Draft[],
  { importId, total, isConfirmed, givesCredit }: Joining,
): Promise<void> {
  const credit = givesCredit ? 'given' : 'pending';
  const drafted = JSON.stringify(drafts);
  await sql`
    insert into member (
      id, sequence, joined_at, join_position, request_hash, confirmed_at, referrer_id, is_invited,
      credit, email, email_identity, referral_code)
    select draft.member_id, draft.sequence, coalesce(row.joined_at, moment.now),
      ${total}::bigint + draft.nth, md5(draft.member_id::text)::uuid,
      case when ${isConfirmed} then moment.now end,
      draft.referrer_id, draft.is_invited,
      case when draft.referrer_id is null then 'none' else ${credit} end,
      row.email, row.email_identity, coalesce(free.kept_code, row.new_code)
    from (
      select greatest(clock_timestamp(), last_joined_at + interval '1 microsecond') as now
      from line_state
    ) moment, (
      select *, row_number() over (order by sequence) as nth
      from json_to_recordset(${drafted}) as draft (
        ordinal integer, member_id uuid, sequence bigint, referrer_id uuid, is_invited boolean)
    ) draft
    cross join lateral (
      select * from list_import_row
      where import_id = ${importId} and ordinal = draft.ordinal offset 0
    ) row
    left join lateral (
      select row.kept_code
      where not exists (select from member where referral_code = row.kept_code offset 0)
    ) free on true
    order by draft.sequence
  `.execute(transaction);
  if (!givesCredit) return;
  await sql`
    insert into notification_state (member_id, referral_count)
    select row.member_id, row.friends
    from json_to_recordset(${drafted}) as draft (ordinal integer)
    cross join lateral (
      select member_id, friends from list_import_row
      where import_id = ${importId} and ordinal = draft.ordinal offset 0
    ) row
    where row.friends > 0
  `.execute(transaction);
}

/** Friends who joined by earlier pieces, by the rows of their referrers. */
export async function readEarlierFriends(
  transaction: Transaction,
  { importId, before, ordinals }: { importId: string; before: number; ordinals: number[] },
): Promise<{ friend_id: string; referrer_ordinal: number }[]> {
  const { rows } = await sql<{ friend_id: string; referrer_ordinal: number }>`
    select friend.member_id as friend_id, asked.ordinal as referrer_ordinal
    from unnest(${ordinals}::integer[]) as asked (ordinal)
    cross join lateral (
      select member_id, place, fault from list_import_row
      where import_id = ${importId} and referrer_ordinal = asked.ordinal offset 0
    ) friend
    where friend.place <= ${before}::integer and friend.fault is null
  `.execute(transaction);
  return rows;
}

export type Link = { readonly friend_id: string; readonly referrer_id: string };

/** Referrers who stand below their friends in the list. Those who have left since stay out. */
export async function linkFriends(
  transaction: Transaction,
  links: readonly Link[],
  { givesCredit }: Pick<Joining, 'givesCredit'>,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update member set referrer_id = link.referrer_id, credit = 'pending'
    from json_to_recordset(${JSON.stringify(links)}) as link (friend_id uuid, referrer_id uuid)
    where member.id = link.friend_id and member.referrer_id is null and member.is_invited
    returning member.id
  `.execute(transaction);
  if (!givesCredit || rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await sql`select set_credits(${ids}::uuid[], 'given')`.execute(transaction);
}

export async function creditReferrers(
  transaction: Transaction,
  friends: ReadonlyMap<string, number>,
): Promise<void> {
  await sql`
    select credit_referrers(${[...friends.keys()]}::uuid[], ${[...friends.values()]}::integer[])
  `.execute(transaction);
}

/** Those of these members who are to be told of a friend. */
export async function readDue(
  transaction: Transaction,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ member_id: string }>`
    select member_id from notification_due where member_id = any(${ids}::uuid[])
  `.execute(transaction);
  return new Set(rows.map(({ member_id }) => member_id));
}

export async function deleteDue(transaction: Transaction, ids: readonly string[]): Promise<void> {
  await sql`
    delete from notification_due where member_id = any(${ids}::uuid[])`.execute(transaction);
}

export async function queueImportedMails(
  transaction: Transaction,
  drafts: readonly Draft[],
  kind: MailKind,
): Promise<void> {
  await sql`
    insert into mail_outbox (first_sequence, kind, member_ids)
    select min(sequence), ${kind}, array_agg(member_id order by sequence)
    from (
      select sequence, member_id, (row_number() over (order by sequence) - 1) / ${MAILS_PER_BATCH}
        as batch
      from json_to_recordset(${JSON.stringify(drafts)}) as draft (member_id uuid, sequence bigint)
    ) mail
    group by batch
  `.execute(transaction);
}

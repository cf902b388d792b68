import { type Selectable, sql } from 'kysely';
import type { MailKind } from '../../../contract/mails.ts';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { FriendChange } from '../../line/line-rules.ts';
import { SOURCELESS, sourceKey } from '../../line/sources/source-rules.ts';
import type { Draft, ImportOptions, JoiningRow } from './piece-rules.ts';

const MAILS_PER_BATCH = 256;

export type ImportRun = Omit<Selectable<Tables['import_run']>, 'decided_at' | 'options'> & {
  readonly options: ImportOptions;
};

export async function insertRun(
  transaction: Transaction,
  importId: string,
  options: ImportOptions,
): Promise<void> {
  await sql`
    insert into import_run (import_id, goal, options)
    values (${importId}, 'join', ${JSON.stringify(options)})`.execute(transaction);
}

/** Locks the run until the transaction ends. Taken before the lock of the line. */
export async function lockRun(
  transaction: Transaction,
  importId: string,
): Promise<ImportRun | null> {
  const { rows } = await sql<ImportRun>`
    select import_id, goal, is_done, options, done_to, moved, left_out
    from import_run where import_id = ${importId} for update
  `.execute(transaction);
  return rows[0] ?? null;
}

export async function updateRun(
  transaction: Transaction,
  { import_id, options, ...run }: ImportRun,
): Promise<void> {
  await transaction.updateTable('import_run').set(run).where('import_id', '=', import_id).execute();
}

/** Imports and undos to go on with, oldest first; done ones of before `forget` are deleted. */
export async function listUnfinishedRuns({ kysely }: Database, forget: Date): Promise<string[]> {
  await sql`delete from import_run where is_done and decided_at < ${forget}`.execute(kysely);
  const { rows } = await sql<{ import_id: string }>`
    select import_id from import_run where not is_done order by decided_at
  `.execute(kysely);
  return rows.map(({ import_id }) => import_id);
}

export async function readRows(
  transaction: Transaction,
  { importId, after, limit }: { importId: string; after: number; limit: number },
): Promise<JoiningRow[]> {
  const { rows } = await sql<JoiningRow>`
    select row.*, known.id as known_id, inviting.place as referrer_place,
      inviting.fault is null as is_referrer_imported, referrer.id as present_referrer_id
    from (
      select * from list_import_row
      where import_id = ${importId} and place > ${after}::integer and fault is null
      order by place limit ${limit}::integer
    ) row
    left join lateral (
      select id from member where email_identity = row.email_identity offset 0
    ) known on true
    left join lateral (
      select place, fault, member_id from list_import_row
      where import_id = ${importId} and ordinal = row.referrer_ordinal offset 0
    ) inviting on true
    left join lateral (
      select id from member where id = coalesce(inviting.member_id, row.referrer_id) offset 0
    ) referrer on true
    order by row.place
  `.execute(transaction);
  return rows;
}

/** Leaves out rows whose address has joined: now they stand for the members who have it. */
export async function leaveOut(
  transaction: Transaction,
  importId: string,
  rows: readonly JoiningRow[],
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
        from json_to_recordset(${met}) as met (referrer_ordinal integer, credit text)
        where referrer_ordinal is not null and credit is null group by referrer_ordinal
      ) met
      where row.import_id = ${importId} and row.ordinal = met.referrer_ordinal
      returning row.fault, row.member_id, row.friends
    )
    update notification_state known set referral_count = lost.friends
    from lost where lost.fault is null and known.member_id = lost.member_id
  `.execute(transaction);
}

export async function readLineEnd(transaction: Transaction) {
  const { rows } = await sql<{ next: number; total: number }>`
    select next_sequence as next, total from line_state`.execute(transaction);
  return rows[0] as { readonly next: number; readonly total: number };
}

export async function insertStandings(
  transaction: Transaction,
  drafts: readonly Draft[],
): Promise<void> {
  await sql`
    insert into standing (member_id, sort_key)
    select member_id, sort_key_of(sequence, 0, was_invited, point_adjustment)
    from json_to_recordset(${JSON.stringify(drafts)}) as draft (
      member_id uuid, sequence bigint, was_invited boolean, point_adjustment integer)
    order by sequence
  `.execute(transaction);
}

export async function insertMembers(
  transaction: Transaction,
  { import_id: importId, options: { isConfirmed, givesCredit } }: ImportRun,
  drafts: readonly Draft[],
  { next, total }: Awaited<ReturnType<typeof readLineEnd>>,
): Promise<void> {
  const credit = givesCredit ? 'given' : 'pending';
  const drafted = sql`json_populate_recordset(null::list_import_row, ${JSON.stringify(drafts)})`;
  const sources = JSON.stringify(
    drafts.map(({ source }) => ({
      ...(source ?? SOURCELESS),
      key: sourceKey(source ?? SOURCELESS),
    })),
  );
  await sql`
    with learned as materialized (select learn_sources(${sources}, true) as ids)
    insert into member (
      id, sequence, joined_at, join_position, request_hash, confirmed_at, referrer_id, is_invited,
      credit, email, email_identity, referral_code, point_adjustment, source_id)
    select row.member_id, ${next}::bigint + nth - 1, coalesce(row.joined_at, moment.now),
      ${total}::bigint + nth, md5(row.member_id::text)::uuid,
      case when ${isConfirmed} and not row.is_unconfirmed
        then coalesce(row.confirmed_at, moment.now) end,
      row.referrer_id, row.was_invited,
      case when row.referrer_id is null then 'none' else coalesce(row.credit, ${credit}) end,
      row.email, row.email_identity, coalesce(free.kept_code, row.new_code), row.point_adjustment,
      nullif(learned.ids[nth], 0)
    from learned, (
      select greatest(clock_timestamp(), last_joined_at + interval '1 microsecond') as now
      from line_state
    ) moment, (select *, ordinality as nth from ${drafted} with ordinality) row
    left join lateral (
      select row.kept_code
      where not exists (select from member where referral_code = row.kept_code offset 0)
    ) free on true
    order by nth
  `.execute(transaction);
  await sql`
    insert into credit_case (member_id, decided_at, decided_by)
    select member_id, clock_timestamp(), 'operator' from ${drafted} row
    where credit in ('held', 'refused')
  `.execute(transaction);
  await sql`
    insert into import_piece (import_id, first_sequence, last_sequence)
    values (${importId}, ${next}, ${next + drafts.length - 1})
  `.execute(transaction);
}

/**
 * Links friends who joined until `before`: in a list, the newest may come first. Nobody is notified
 * of friends whom the old list had already.
 */
export async function linkEarlierFriends(
  transaction: Transaction,
  importId: string,
  { before, last, givesCredit }: { before: number; last: number; givesCredit: boolean },
): Promise<void> {
  const joining = sql`import_id = ${importId} and place > ${before}::integer
    and place <= ${last}::integer`;
  if (givesCredit)
    await sql`
      insert into notification_state (member_id, referral_count)
      select member_id, friends from list_import_row
      where ${joining} and fault is null and friends > 0
    `.execute(transaction);
  const { rows } = await sql<{ id: string; credit: string | null }>`
    update member set referrer_id = joining.member_id, credit = coalesce(friend.credit, 'pending')
    from (select ordinal, member_id from list_import_row where ${joining} offset 0) joining
    cross join lateral (
      select member_id, credit from list_import_row
      where import_id = ${importId} and referrer_ordinal = joining.ordinal
        and place <= ${before}::integer and fault is null offset 0
    ) friend
    where member.id = friend.member_id and member.referrer_id is null and member.is_invited
    returning member.id, friend.credit
  `.execute(transaction);
  const ids = rows.filter(({ credit }) => credit === null).map(({ id }) => id);
  if (!givesCredit || ids.length === 0) return;
  await sql`select set_credits(${ids}::uuid[], 'given')`.execute(transaction);
  await sql`
    delete from notification_due where member_id in (
      select member_id from list_import_row where ${joining} and fault is null)
  `.execute(transaction);
}

/** Gives credits. `informed` are not notified of them, unless they are due for another friend. */
export async function creditReferrers(
  transaction: Transaction,
  credits: ReadonlyMap<string, FriendChange>,
  informed: readonly string[],
): Promise<void> {
  const friends = [...credits.values()];
  const { rows } = await sql<{ member_id: string }>`
    select member_id from notification_due where member_id = any(${informed}::uuid[])
  `.execute(transaction);
  await sql`
    select credit_referrers(
      ${[...credits.keys()]}::uuid[], ${friends.map(({ confirmed }) => confirmed)}::integer[],
      ${friends.map(({ unconfirmed }) => unconfirmed)}::integer[])
  `.execute(transaction);
  await sql`
    delete from notification_due where member_id = any(${informed}::uuid[])
      and member_id <> all(${rows.map(({ member_id }) => member_id)}::uuid[])
  `.execute(transaction);
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

export async function readImported(
  transaction: Transaction,
  { importId, after, limit }: { importId: string; after: number; limit: number },
) {
  const ofImport = sql`from import_piece where import_id = ${importId}::uuid`;
  const { rows } = await sql<{ id: string; sequence: number; has_friends: boolean }>`
    select id, sequence, exists (
      select from member friend where friend.referrer_id = one.id and not exists (
        select ${ofImport} and friend.sequence between first_sequence and last_sequence offset 0)
      offset 0
    ) as has_friends
    from member one
    where sequence > ${after}::bigint
      and sequence between (select min(first_sequence) ${ofImport})
        and (select max(last_sequence) ${ofImport})
      and exists (
        select ${ofImport} and one.sequence between first_sequence and last_sequence offset 0)
    order by sequence limit ${limit}::integer
  `.execute(transaction);
  return rows;
}

/** Imports that were decided, and what they do to the line. */
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { MailKind } from '../../../brand/mail-shape.ts';
import { REFERRAL_CODE_LENGTH, referralCode } from '../../../contract/referral-code-rules.ts';
import type { Database } from '../../db/database.ts';
import { all, column, first, only, run as runSql } from '../../db/rows.ts';
import type { Tables } from '../../db/schema/tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import { SOURCELESS, sourceKey } from '../../line/sources/source-rules.ts';
import type { Draft, Link, Member, Row } from './compare-rules.ts';

/** The kind of work; its keys are ids of imports. */
export const IMPORT = 'import';
const MAILS_PER_BATCH = 256;

export type ImportOptions = {
  /** The name of the file, without addresses, for the audit log. */
  readonly file: string;
  readonly rows: number;
  readonly isConfirmed: boolean;
  readonly givesCredit: boolean;
  readonly mail: MailKind | null;
};

/** How far the members of a list have joined, or left again. */
export type ImportRun = {
  readonly goal: 'join' | 'leave';
  readonly options: ImportOptions;
  /** The last place of the list that is done, or of an undo the last sequence. */
  readonly done_to: number;
  readonly moved: number;
  /** Rows that joined meanwhile, or members who stayed. */
  readonly left_out: number;
};

export function beginRun(goal: ImportRun['goal'], options: ImportOptions): ImportRun {
  return { goal, options, done_to: 0, moved: 0, left_out: 0 };
}

/** Forgets which members an import brought, once nobody can undo it any more. */
export function deleteOldPieces({ kysely }: Database): Promise<void> {
  return runSql(kysely)`
    delete from import_piece
    where not exists (select from undo_record where data->>'importId' = import_id::text)
      and not exists (select from work where kind = ${IMPORT} and key = import_id::text)
  `;
}

/** Members whom these rows name by address or code. */
export function findMembers(kysely: Kysely<Tables>, rows: readonly Row[]): Promise<Member[]> {
  const addresses = rows.flatMap((row) => [row.email_identity, row.referrer_address]);
  const codes = rows.flatMap((row) => [row.kept_code, row.referrer_code]);
  return all<Member>(kysely)`
    select id, email_identity, referral_code from member
    where email_identity = any(${addresses}::text[]) or referral_code = any(${codes}::text[])
  `;
}

/** Whether the import brought the member of this sequence. */
const isOf = (importId: string, sequence: string) => sql`coalesce((
  select last_sequence from import_piece
  where import_id = ${importId}::uuid and first_sequence <= ${sql.ref(sequence)}
  order by first_sequence desc limit 1
) >= ${sql.ref(sequence)}, false)`;

type Imported = Pick<ImportRun, 'options'> & { readonly importId: string };

/** Makes members of a piece of the list, at the end of the line. */
export async function joinMembers(
  transaction: Transaction,
  { importId, options }: Imported,
  drafts: readonly Draft[],
): Promise<void> {
  const { next, total } = await only<{ next: number; total: number }>(transaction)`
    select next_sequence as next, total from line_state
  `;
  const numbered = drafts.map((draft, index) => ({
    ...draft,
    new_code: referralCode(randomBytes(REFERRAL_CODE_LENGTH)),
    sequence: next + index,
    is_confirmed: options.isConfirmed && !draft.is_unconfirmed,
  }));
  const joining = sql`json_to_recordset(${JSON.stringify(numbered)}) as row (
    member_id uuid, sequence bigint, joined_at timestamptz, confirmed_at timestamptz,
    is_confirmed boolean, referrer_id uuid, was_invited boolean, credit text,
    email_identity text, kept_code text, new_code text, member member)`;
  const given = Object.keys(drafts[0]?.member ?? {}).map((name) => sql.ref(name));
  const sources = drafts.map(({ source }) => source ?? SOURCELESS);
  const keyed = JSON.stringify(sources.map((source) => ({ ...source, key: sourceKey(source) })));
  await runSql(transaction)`
    insert into standing (member_id, sort_key)
    select member_id, sort_key_of(sequence, 0, was_invited, (row.member).point_adjustment)
    from ${joining} order by sequence
  `;
  if (options.givesCredit)
    await runSql(transaction)`
      select credit_referrers(array_agg(referrer_id), array_agg(confirmed), array_agg(unconfirmed))
      from (
        select referrer_id, (count(*) filter (where is_confirmed))::integer as confirmed,
          (count(*) filter (where not is_confirmed))::integer as unconfirmed
        from ${joining} where referrer_id is not null and credit is null group by referrer_id
      ) invited
      having count(*) > 0
    `;
  await runSql(transaction)`
    with learned as materialized (select learn_sources(${keyed}, true) as ids)
    insert into member (
      id, sequence, joined_at, join_position, request_hash, confirmed_at, referrer_id, is_invited,
      credit, email_identity, referral_code, source_id, ${sql.join(given)})
    select member_id, sequence, coalesce(joined_at, moment.now),
      ${total}::bigint + sequence - ${next}::bigint + 1, md5(member_id::text)::uuid,
      case when is_confirmed then coalesce(confirmed_at, moment.now) end, referrer_id, was_invited,
      case when referrer_id is null then 'none'
        else coalesce(credit, ${options.givesCredit ? 'given' : 'pending'}) end,
      email_identity, coalesce(free.kept_code, new_code),
      nullif(learned.ids[sequence - ${next}::bigint + 1], 0),
      ${sql.join(given.map((name) => sql`(row.member).${name}`))}
    from learned, (
      select greatest(clock_timestamp(), last_joined_at + interval '1 microsecond') as now
      from line_state
    ) moment, ${joining}
    left join lateral (
      select row.kept_code
      where not exists (select from member where referral_code = row.kept_code offset 0)
    ) free on true
    order by sequence
  `;
  await runSql(transaction)`
    insert into credit_case (member_id, decided_at, decided_by)
    select member_id, clock_timestamp(), 'operator' from ${joining}
    where credit in ('held', 'refused')
  `;
  await runSql(transaction)`
    insert into import_piece (import_id, first_sequence, last_sequence)
    values (${importId}, ${next}, ${next + drafts.length - 1})
  `;
  if (options.mail !== null)
    await runSql(transaction)`
      insert into mail_outbox (first_sequence, kind, member_ids)
      select min(sequence), ${options.mail}, array_agg(member_id order by sequence)
      from ${joining} group by (sequence - ${next}) / ${MAILS_PER_BATCH}
    `;
}

/** Friends who joined before their referrer: in a list, the newest may come first. */
export async function linkFriends(
  transaction: Transaction,
  { importId, options }: Imported,
  links: readonly Link[],
): Promise<void> {
  const ids = await column<string>(transaction)`
    with linked as (
      update member set referrer_id = link.referrer_id, credit = coalesce(link.credit, 'pending')
      from json_to_recordset(${JSON.stringify(links)}) as link (
        email_identity text, referrer_id uuid, credit text)
      where member.email_identity = link.email_identity and member.referrer_id is null
        and is_invited and ${isOf(importId, 'member.sequence')}
      returning id, link.credit
    ) select id from linked where credit is null
  `;
  if (options.givesCredit) await runSql(transaction)`select set_credits(${ids}::uuid[], 'given')`;
}

/**
 * The old tool has told the referrers in its list of each friend that they are credited for. They
 * are not told again, unless they are due for another friend.
 */
export async function leaveUntold(
  transaction: Transaction,
  { importId, credited }: { readonly importId: string; readonly credited: readonly string[] },
  work: () => Promise<void>,
): Promise<void> {
  const due = await column<string>(transaction)`
    select member_id from notification_due where member_id = any(${credited}::uuid[])
  `;
  await work();
  const told = await column<string>(transaction)`
    insert into notification_state as known (member_id, referral_count)
    select id, count(*) from unnest(${credited}::uuid[]) id join member using (id)
    where ${isOf(importId, 'sequence')} group by id
    on conflict (member_id) do update
    set referral_count = known.referral_count + excluded.referral_count
    returning member_id
  `;
  await runSql(transaction)`
    delete from notification_due
    where member_id = any(${told}::uuid[]) and member_id <> all(${due}::uuid[])
  `;
}

type Sequences = Readonly<Record<'first' | 'last', number>>;

/** Null: all sequences of the import are up to `done`. */
export function findNextPiece(
  transaction: Transaction,
  { importId, done }: { readonly importId: string; readonly done: number },
): Promise<Sequences | null> {
  return first<Sequences>(transaction)`
    select greatest(first_sequence, ${done}::bigint + 1) as first, last_sequence as last
    from import_piece where import_id = ${importId}::uuid and last_sequence > ${done}::bigint
    order by first_sequence limit 1
  `;
}

/** Members of a piece who are still in line, and whether they brought others than the import. */
export function readImported(transaction: Transaction, importId: string, piece: Sequences) {
  return all<{ id: string; has_friends: boolean }>(transaction)`
    select id, exists (
      select from member friend
      where friend.referrer_id = one.id and not ${isOf(importId, 'friend.sequence')} offset 0
    ) as has_friends
    from member one where sequence between ${piece.first}::bigint and ${piece.last}::bigint
  `;
}

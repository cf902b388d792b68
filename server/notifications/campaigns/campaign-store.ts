import { type RawBuilder, sql } from 'kysely';
import type { Database, Reader } from '../../db/database.ts';
import { all, first, run, some, value } from '../../db/rows.ts';
import type { CampaignRow } from '../../db/schema/feature-tables.ts';
import { MAIL_QUEUE } from '../../db/schema/queue-schema.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { CampaignText, ParsedText, ReadText } from './campaign-text.ts';
import { readTextOnThread } from './text-reader.ts';

export type Draft = CampaignText & { readonly filter: object; readonly parsed: ReadText };

export async function insertDraft(transaction: Transaction, draft: Draft): Promise<CampaignRow> {
  return await transaction
    .insertInto('campaign')
    .values(columnsOf(draft))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateDraft(
  transaction: Transaction,
  { id, revision, draft }: { id: number; revision: number; draft: Draft },
): Promise<CampaignRow | null> {
  const row = await transaction
    .updateTable('campaign')
    .set({ ...columnsOf(draft), revision: revision + 1 })
    .where('id', '=', id)
    .where('state', '=', 'draft')
    .where('revision', '=', revision)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export function deleteDraft(transaction: Transaction, id: number) {
  return some(transaction)`
    delete from campaign where id = ${id} and state = 'draft' returning id
  `;
}

async function readWhere(kysely: Database['kysely'], which: RawBuilder<unknown>) {
  return await readMissing(
    { kysely },
    await all<CampaignRow>(kysely)`select * from campaign where ${which}`,
  );
}

export async function readCampaign(kysely: Database['kysely'], id: number) {
  const [row] = await readWhere(kysely, sql`id = ${id}`);
  return row ?? null;
}

export function readCampaigns(
  { kysely }: Database,
  { before, limit }: { before: number; limit: number },
) {
  return readWhere(kysely, sql`id < ${before} order by id desc limit ${limit}`);
}

export async function lockCampaign(transaction: Transaction, id: number) {
  const [row] = await readWhere(transaction, sql`id = ${id} for update`);
  return row ?? null;
}

/** Members whose join is not committed yet get nothing. */
export function startSending(transaction: Transaction, id: number) {
  return run(transaction)`
    update campaign set state = 'sending', started_at = clock_timestamp(),
      before_sequence = (select next_sequence from line_state)
    where id = ${id}::integer
  `;
}

/** No mail of it begins any more. Does nothing to a campaign that is not being sent. */
export function beginStopping({ kysely }: Database, id: number) {
  return run(kysely)`
    update campaign set stopping_at = clock_timestamp()
    where id = ${id}::integer and state = 'sending' and stopping_at is null
  `;
}

export function countLeaving({ kysely }: Database, id: number) {
  return value<number>(kysely)`
    select count(*)::integer as mails from ${LEAVING} = ${id}::integer
  `;
}

const LEAVING = sql`pgboss.job
  where name = ${MAIL_QUEUE} and state = 'active' and data->>'kind' = 'campaign'
    and (data->>'campaign')::integer`;

export function stopSending(transaction: Transaction, id: number) {
  return run(transaction)`update campaign set ${CANCELLED} where id = ${id}::integer`;
}

/** Cancels campaigns whose `cancel-campaign` failed while their last mails were leaving. */
export function stopHalted({ kysely }: Database) {
  return run(kysely)`
    update campaign set ${CANCELLED}
    where state = 'sending' and stopping_at < clock_timestamp() - interval '1 minute'
      and not exists (select from ${LEAVING} = campaign.id)
  `;
}

export function readUnfound({ kysely }: Database) {
  return first<Pick<CampaignRow, 'id' | 'filter'>>(kysely)`
    select id, filter from campaign where state = 'sending' and not is_all_found
    order by id limit 1
  `;
}

type Slice = {
  readonly id: number;
  readonly condition: RawBuilder<boolean>;
  readonly among: number | readonly RawBuilder<boolean>[];
};

/** One transaction: a slice of recipients is found, or not at all. */
export async function findNextRecipients(
  { kysely }: Database,
  { id, condition, among }: Slice,
): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    const campaign = await lockCampaign(transaction, id);
    if (campaign?.state !== 'sending' || campaign.is_all_found) return;
    const { found_to: from, before_sequence: end } = campaign;
    const isPart = typeof among !== 'number';
    const members = isPart ? null : among;
    const slice = isPart
      ? sql`select member_id as id from standing where ${sql.join(among, sql` and `)}`
      : sql`select id from member where id > ${from}::uuid order by id limit ${members}::integer`;
    // Look-ups by key, whatever the planner thinks of the tables.
    await run(transaction)`
      with slice as materialized (
        ${slice}
      ), found as (
        insert into campaign_mail (campaign_id, member_id)
        select ${id}::integer, member.id from slice
        cross join lateral (select * from member where member.id = slice.id offset 0) member
        cross join lateral (
          select * from standing where standing.member_id = slice.id offset 0
        ) standing
        where member.sequence < ${end}::bigint and ${condition}
        on conflict do nothing
        returning 1
      )
      update campaign set
        recipients = recipients + (select count(*) from found),
        found_to = coalesce((select id from slice order by id desc limit 1), found_to),
        is_all_found = coalesce((select count(*) from slice) < ${members}::integer, true)
      where id = ${id}::integer
    `;
    await run(transaction)`
      update campaign set filter = ${WITHOUT_TEXT} where id = ${id}::integer and is_all_found
    `;
    await run(transaction)`select end_campaigns(array[${id}::integer])`;
  });
}

/** The text may be an address, which must not outlive its member. */
const WITHOUT_TEXT = sql`
  case when filter ? 'text' then jsonb_set(filter, '{text}', '"…"') else filter end`;

const CANCELLED = sql`
  state = 'cancelled', ended_at = clock_timestamp(), filter = ${WITHOUT_TEXT}`;

function columnsOf({ subject, body, filter, parsed }: Draft) {
  return { subject, body, filter: JSON.stringify(filter), parsed: JSON.stringify(parsed) };
}

type StoredText = Pick<CampaignRow, 'id' | 'subject' | 'body' | 'parsed'>;

/** Reads and stores texts that were saved before these were stored, or blotted out since. */
async function readMissing<Row extends StoredText>({ kysely }: Reader, rows: Row[]) {
  for (const row of rows) {
    if (row.parsed !== null) continue;
    const { id, subject, body } = row;
    const parsed = await readTextOnThread({ subject, body });
    for (const same of rows) if (same.id === id) same.parsed = parsed;
    await run(kysely)`
      update campaign set parsed = ${JSON.stringify(parsed)}::jsonb
      where id = ${id} and subject = ${subject} and body = ${body}
    `;
  }
  return rows;
}

export function parsedOf({ parsed }: Pick<CampaignRow, 'parsed'>): ReadText {
  return parsed as ReadText;
}

type CampaignMail = { readonly campaign: number; readonly memberId: string };

export function queueCampaignMails({ kysely }: Database, limit: number) {
  return value<number>(kysely)`
    select queue_campaign_mails(${limit}) as queued`;
}

export async function readCampaignTexts(
  database: Database,
  mails: readonly CampaignMail[],
): Promise<(ParsedText | null)[]> {
  const { campaigns, members } = keysOf(mails);
  const rows = await all<StoredText & { ordinal: number }>(database.kysely)`
    select job.ordinal, campaign.id, campaign.subject, campaign.body, campaign.parsed
    from unnest(${campaigns}::integer[], ${members}::uuid[])
      with ordinality job (campaign_id, member_id, ordinal)
    join campaign on campaign.id = job.campaign_id and campaign.state = 'sending'
    cross join lateral (
      select outcome from campaign_mail mail
      where mail.campaign_id = job.campaign_id and mail.member_id = job.member_id offset 0
    ) mail
    where mail.outcome is null
  `;
  const texts = new Map(
    (await readMissing(database, rows)).map(({ ordinal, subject, parsed }) => {
      return [ordinal, { subject, blocks: parsedOf({ parsed }).blocks }];
    }),
  );
  return mails.map((_, index) => texts.get(index + 1) ?? null);
}

export function isSending({ kysely }: Database, campaign: number) {
  return some(kysely)`
    select from campaign where id = ${campaign} and state = 'sending' and stopping_at is null
  `;
}

/** Counts how mails ended, each once. `outcome` is not `later`. */
export async function settleCampaignMails(
  { kysely }: Database,
  mails: readonly CampaignMail[],
  outcome: string,
): Promise<void> {
  const { campaigns, members } = keysOf(mails);
  await run(kysely)`
    select settle_campaign_mails(${campaigns}::integer[], ${members}::uuid[], ${outcome})
  `;
}

function keysOf(mails: readonly CampaignMail[]) {
  return {
    campaigns: mails.map(({ campaign }) => campaign),
    members: mails.map(({ memberId }) => memberId),
  };
}

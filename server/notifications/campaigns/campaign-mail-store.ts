/** The mails of campaigns on their way through the queue. */
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { CampaignText } from './campaign-text.ts';

/** What names the mail of a campaign to a member. */
export type CampaignMail = { readonly campaign: number; readonly memberId: string };

/** Moves up to `limit` mails into the queue. Returns how many. */
export async function queueCampaignMails({ kysely }: Database, limit: number): Promise<number> {
  const { rows } = await sql<{ queued: number }>`
    select queue_campaign_mails(${limit}) as queued`.execute(kysely);
  return rows[0]?.queued ?? 0;
}

/** The texts of the mails that are still to be sent, in order; null for the others. */
export async function readCampaignTexts(
  { kysely }: Database,
  mails: readonly CampaignMail[],
): Promise<(CampaignText | null)[]> {
  const { campaigns, members } = columnsOf(mails);
  const { rows } = await sql<CampaignText & { ordinal: number }>`
    select job.ordinal, campaign.subject, campaign.body
    from unnest(${campaigns}::integer[], ${members}::uuid[])
      with ordinality job (campaign_id, member_id, ordinal)
    join campaign on campaign.id = job.campaign_id and campaign.state = 'sending'
    cross join lateral (
      select outcome from campaign_mail mail
      where mail.campaign_id = job.campaign_id and mail.member_id = job.member_id offset 0
    ) mail
    where mail.outcome is null
  `.execute(kysely);
  const texts = new Map(rows.map(({ ordinal, subject, body }) => [ordinal, { subject, body }]));
  return mails.map((_, index) => texts.get(index + 1) ?? null);
}

/** Counts how mails ended, each once. `outcome` is not `later`. */
export async function settleCampaignMails(
  { kysely }: Database,
  mails: readonly CampaignMail[],
  outcome: string,
): Promise<void> {
  const { campaigns, members } = columnsOf(mails);
  await sql`
    select settle_campaign_mails(${campaigns}::integer[], ${members}::uuid[], ${outcome})
  `.execute(kysely);
}

function columnsOf(mails: readonly CampaignMail[]) {
  return {
    campaigns: mails.map(({ campaign }) => campaign),
    members: mails.map(({ memberId }) => memberId),
  };
}

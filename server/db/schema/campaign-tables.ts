/** The tables of 0006-campaigns.sql, as in tables.ts. */
import type { Generated, Selectable } from 'kysely';
import type { Json } from './json-column.ts';

export type CampaignTables = {
  campaign: CampaignTable;
  campaign_mail: CampaignMailTable;
};

export type CampaignRow = Selectable<CampaignTable>;

type CampaignTable = {
  id: number;
  state: Generated<'draft' | 'sending' | 'sent' | 'cancelled'>;
  revision: Generated<number>;
  subject: string;
  body: string;
  filter: Json;
  created_at: Generated<Date>;
  started_at: Date | null;
  ended_at: Date | null;
  before_sequence: number | null;
  found_to: Generated<string>;
  queued_to: Generated<string>;
  is_all_found: Generated<boolean>;
  recipients: Generated<number>;
  sent: Generated<number>;
  failed: Generated<number>;
  suppressed: Generated<number>;
  departed: Generated<number>;
};

type CampaignMailTable = {
  campaign_id: number;
  member_id: string;
  outcome: string | null;
};

import type { Brand } from '../../../brand/brand-shape.ts';
import type {
  Campaign,
  CampaignEdit,
  CampaignRequest,
  Campaigns,
} from '../../../contract/operator/mail/campaigns.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type { Database } from '../../db/database.ts';
import { isoRow } from '../../db/iso-time.ts';
import type { CampaignRow } from '../../db/schema/feature-tables.ts';
import { pageOf } from '../../http/cursor-rules.ts';
import { readFilter } from '../../members/list/filter-rules.ts';
import { Problem } from '../../problem.ts';
import {
  type Draft,
  deleteDraft,
  insertDraft,
  readCampaign,
  readCampaigns,
  updateDraft,
} from './campaign-store.ts';
import { findTextProblems, titleOf } from './campaign-text.ts';

type Options = { readonly database: Database; readonly brand: Pick<Brand, 'tiers'> };

const PAGE_SIZE = 50;
const MAX_NUMBER = 2 ** 31 - 1;

export async function createDraft(
  { database, brand }: Options,
  request: CampaignRequest,
): Promise<Campaign> {
  return viewCampaign(await insertDraft(database, readDraft(request, brand)));
}

/** Throws Problem: conflict when it was edited or sent meanwhile. */
export async function editDraft(
  { database, brand }: Options,
  id: number,
  { revision, ...request }: CampaignEdit,
): Promise<Campaign> {
  const draft = readDraft(request, brand);
  const row = await updateDraft(database, { id, revision, draft });
  if (row !== null) return viewCampaign(row);
  throw refuseEdit(await getRow(database, id));
}

/** Throws Problem conflict for a campaign that was sent: its counts stay. */
export async function removeDraft(database: Database, id: number): Promise<void> {
  if (await deleteDraft(database, id)) return;
  throw refuseEdit(await getRow(database, id));
}

export async function getCampaign(database: Database, id: number): Promise<Campaign> {
  return viewCampaign(await getRow(database, id));
}

export async function listCampaigns(
  database: Database,
  before: number = MAX_NUMBER,
): Promise<Campaigns> {
  const rows = await readCampaigns(database, { before, limit: PAGE_SIZE + 1 });
  const { shown, next } = pageOf(rows, PAGE_SIZE, ({ id }) => id);
  return { campaigns: shown.map(viewCampaign), next };
}

export function noCampaign(id: number): Problem {
  return new Problem('unknown_path', `There is no campaign ${id}.`);
}

export function countLeft(row: CampaignRow): number {
  return row.recipients - row.sent - row.failed - row.suppressed - row.departed;
}

function viewCampaign(row: CampaignRow): Campaign {
  const { state, subject, body, recipients, sent, failed, suppressed, departed } = row;
  const { id: campaign, revision, created_at, started_at, ended_at } = isoRow(row);
  const left = countLeft(row);
  return {
    campaign,
    state,
    revision,
    subject,
    title: titleOf(subject),
    body,
    filter: row.filter as MemberFilter,
    problems: state === 'draft' ? findTextProblems({ subject, body }) : [],
    created_at,
    started_at,
    ended_at,
    is_counted: row.is_all_found,
    counts: {
      recipients,
      sent,
      failed,
      suppressed,
      departed,
      waiting: state === 'cancelled' ? 0 : left,
      cancelled: state === 'cancelled' ? left : 0,
    },
  };
}

function readDraft({ subject, body, filter }: CampaignRequest, brand: Pick<Brand, 'tiers'>): Draft {
  readFilter(filter, brand.tiers);
  if (/\0|\p{Cs}/u.test(subject + body))
    throw new Problem('invalid_field', 'The text has characters that cannot be kept.');
  return { subject, body, filter };
}

async function getRow(database: Database, id: number): Promise<CampaignRow> {
  const row = await readCampaign(database, id);
  if (row === null) throw noCampaign(id);
  return row;
}

function refuseEdit({ id, state }: CampaignRow): Problem {
  return new Problem(
    'conflict',
    state === 'draft'
      ? `Campaign ${id} was edited meanwhile: look at it again.`
      : `Campaign ${id} is no draft any more: it is ${state}.`,
  );
}

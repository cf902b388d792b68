import type { Brand } from '../../../brand/brand-shape.ts';
import type {
  Campaign,
  CampaignEdit,
  CampaignRequest,
  Campaigns,
} from '../../../contract/operator/mail/campaigns.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type { Actor } from '../../access/actor.ts';
import { isLastBy } from '../../access/audit/audit-store.ts';
import { recordAccess } from '../../access/audit/record-audit.ts';
import type { Database } from '../../db/database.ts';
import { isoRow } from '../../db/iso-time.ts';
import type { CampaignRow } from '../../db/schema/feature-tables.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { HOUR_MS } from '../../durations.ts';
import { pageOf } from '../../http/cursor-rules.ts';
import { readFilter } from '../../members/list/filter-rules.ts';
import { conflict, invalidField, Problem } from '../../problem.ts';
import {
  type Draft,
  deleteDraft,
  insertDraft,
  parsedOf,
  readCampaign,
  readCampaigns,
  updateDraft,
} from './campaign-store.ts';
import { type ParsedText, titleOf } from './campaign-text.ts';
import { readTextOnThread } from './text-reader.ts';

type Options = { readonly database: Database; readonly brand: Pick<Brand, 'tiers'> };

const PAST = { write: 'written', edit: 'edited', delete: 'deleted' } as const;

/** Whoever goes on with a draft for so long adds no entries: a draft is saved many times. */
const EDITING_MS = HOUR_MS;
const PAGE_SIZE = 50;
const MAX_NUMBER = 2 ** 31 - 1;

export async function createDraft(
  options: Options,
  actor: Actor,
  request: CampaignRequest,
): Promise<Campaign> {
  const draft = await readDraft(request, options);
  return await inTransaction(options.database, async (transaction) => {
    const row = await insertDraft(transaction, draft);
    await note(transaction, actor, row.id, 'write');
    return viewCampaign(row);
  });
}

export async function editDraft(
  options: Options,
  actor: Actor,
  id: number,
  { revision, ...request }: CampaignEdit,
): Promise<Campaign> {
  const draft = await readDraft(request, options);
  return await inTransaction(options.database, async (transaction) => {
    const row = await updateDraft(transaction, { id, revision, draft });
    if (row === null) throw refuseEdit(await getRow(transaction, id));
    const subject = subjectOf(id);
    const isNoted = await isLastBy(transaction, actor, { subject, withinMs: EDITING_MS });
    if (!isNoted) await note(transaction, actor, id, 'edit');
    return viewCampaign(row);
  });
}

export async function removeDraft(database: Database, actor: Actor, id: number): Promise<void> {
  await inTransaction(database, async (transaction) => {
    if (!(await deleteDraft(transaction, id))) throw refuseEdit(await getRow(transaction, id));
    await note(transaction, actor, id, 'delete');
  });
}

export async function getCampaign(database: Database, id: number): Promise<Campaign> {
  return viewCampaign(await getRow(database.kysely, id));
}

/** Throws Problem unknown_path, or invalid_field for a text that has problems. */
export async function getParsedText({ kysely }: Database, id: number): Promise<ParsedText> {
  const row = await getRow(kysely, id);
  return { subject: row.subject, blocks: assertNoProblem(row).blocks };
}

export function assertNoProblem(row: CampaignRow) {
  const parsed = parsedOf(row);
  const [problem] = parsed.problems;
  if (problem !== undefined) throw invalidField(problem);
  return parsed;
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
  return row.recipients - row.sent - row.kept - row.failed - row.suppressed - row.departed;
}

function viewCampaign(row: CampaignRow): Campaign {
  const { state, subject, body, recipients, sent, kept, failed, suppressed, departed } = row;
  const { id: campaign, revision, created_at, started_at, ended_at } = isoRow(row);
  const [waiting, cancelled] = state === 'cancelled' ? [0, countLeft(row)] : [countLeft(row), 0];
  return {
    campaign,
    state,
    revision,
    subject,
    title: titleOf(subject),
    body,
    filter: row.filter as MemberFilter,
    problems: state === 'draft' ? [...parsedOf(row).problems] : [],
    created_at,
    started_at,
    ended_at,
    is_counted: row.is_all_found,
    counts: { recipients, sent, kept, failed, suppressed, departed, waiting, cancelled },
  };
}

async function readDraft(
  { subject, body, filter }: CampaignRequest,
  { brand }: Options,
): Promise<Draft> {
  readFilter(filter, brand.tiers);
  // Anybody may have typed an address that has not confirmed: a campaign to these names them.
  const recipients = { confirmed: true, ...filter };
  return { subject, body, filter: recipients, parsed: await readTextOnThread({ subject, body }) };
}

async function getRow(kysely: Database['kysely'], id: number): Promise<CampaignRow> {
  const row = await readCampaign(kysely, id);
  if (row === null) throw noCampaign(id);
  return row;
}

const subjectOf = (id: number) => ({ kind: 'campaign', id: String(id) });

async function note(
  transaction: Transaction,
  actor: Actor,
  id: number,
  act: keyof typeof PAST,
): Promise<void> {
  const summary = `The draft of campaign ${id} was ${PAST[act]}.`;
  await recordAccess(transaction, actor, `${act}-campaign`, subjectOf(id), summary);
}

function refuseEdit({ id, state }: CampaignRow): Problem {
  return conflict(
    state === 'draft'
      ? `Campaign ${id} was edited meanwhile: look at it again.`
      : `Campaign ${id} is no draft any more: it is ${state}.`,
  );
}

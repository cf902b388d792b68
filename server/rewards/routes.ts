import type { ListedReward, Rewards } from '../../contract/operator/rewards/rewards.ts';
import { ADDRESS_FIELDS } from '../../contract/reward-address.ts';
import { REWARD_STATES, type RewardState } from '../../contract/rewards.ts';
import { addCall } from '../access/add-call.ts';
import { CSV_TYPE, nameFile, type OpenDownload } from '../backup/downloads.ts';
import { type Cell, csvHeader, csvLine } from '../csv/csv-rules.ts';
import type { Database } from '../db/database.ts';
import { isoRow } from '../db/iso-time.ts';
import type { HttpServer } from '../http/http-server.ts';
import { keepAnswers } from '../http/recent-answers.ts';
import { type Level, levelOf } from '../line/referrals/tier-rules.ts';
import type { Platform } from '../module.ts';
import type { RewardRow } from './reward-store.ts';
import { countRewards, listRewards } from './rewards.ts';

const KEEP = { forMs: 2_000, maxKeys: 1 };
const PAGE_REWARDS = 50;

export function addRewardRoutes(
  server: HttpServer,
  { database, brand }: Platform,
  openDownload: OpenDownload,
): void {
  const counts = keepAnswers<Rewards>(KEEP);

  addCall(server, 'GET rewards', () =>
    counts('', async () => ({
      counted_at: new Date().toISOString(),
      tiers: await countRewards(database, brand.tiers),
    })),
  );

  addCall(server, 'GET rewardsOfTier', async ({ params, query }) => {
    const level = levelOf(brand.tiers, Number(params.tier));
    const { state = 'owed', after } = query;
    const page = await listRewards(database, level, { state, after, limit: PAGE_REWARDS });
    return { rewards: page.shown.map(viewReward), next: page.next };
  });

  addCall(server, 'GET exportRewards', async (request, reply) => {
    const level = levelOf(brand.tiers, Number(request.params.tier));
    const file = await openDownload(request, exportRewards(database, level, request.query.state));
    nameFile(reply, `rewards-${level.tier}.csv`, CSV_TYPE);
    return file;
  });
}

function viewReward(row: RewardRow): ListedReward {
  const { id, email, referral_code, referral_count, state, asked_at, sent_at } = isoRow(row);
  return { id, email, referral_code, referral_count, state, asked_at, sent_at };
}

const PAGE_SIZE = 1_000;
const COLUMNS = [
  'id',
  'email',
  'referral_code',
  'referral_count',
  'tier',
  'reward',
  'state',
  ...ADDRESS_FIELDS,
  'code',
  'asked_at',
  'sent_at',
];

/** CSV, a page at a time. A reward whose state changes meanwhile may be listed in both. */
async function* exportRewards(
  database: Database,
  level: Level,
  wanted: RewardState | undefined,
): AsyncGenerator<string> {
  yield csvHeader(COLUMNS);
  for (const state of wanted === undefined ? REWARD_STATES : [wanted]) {
    let after: string | undefined;
    do {
      const page = await listRewards(database, level, { state, after, limit: PAGE_SIZE });
      yield page.shown.map((row) => lineOf(level, row)).join('');
      after = page.next ?? undefined;
    } while (after !== undefined);
  }
}

function lineOf({ tier, reward }: Level, { details, ...row }: RewardRow): string {
  const cells: Partial<Record<string, Cell>> = { ...details, ...isoRow(row), tier, reward };
  return csvLine(COLUMNS.map((column) => cells[column] ?? null));
}

import { REWARD_STATES, type RewardState } from '../../contract/operator/rewards/reward-changes.ts';
import { ADDRESS_FIELDS } from '../../contract/reward-address.ts';
import { csvLine } from '../csv/csv-rules.ts';
import type { Database } from '../db/database.ts';
import { type levelOf, listRewards, type RewardRow } from './rewards.ts';

type Level = ReturnType<typeof levelOf>;

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

/** As CSV, a page at a time. A reward whose state changes meanwhile may be listed in both. */
export async function* exportRewards(
  database: Database,
  level: Level,
  wanted: RewardState | undefined,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for (const state of wanted === undefined ? REWARD_STATES : [wanted]) {
    let after: string | undefined;
    do {
      const page = await listRewards(database, level, { state, after, limit: PAGE_SIZE });
      yield page.rows.map((row) => lineOf(level, row)).join('');
      after = page.next ?? undefined;
    } while (after !== undefined);
  }
}

function lineOf({ tier, reward }: Level, row: RewardRow): string {
  return csvLine([
    row.id,
    row.email,
    row.referral_code,
    row.referral_count,
    tier,
    reward,
    row.state,
    ...ADDRESS_FIELDS.map((field) => row.details?.[field] ?? null),
    row.code,
    row.asked_at?.toISOString() ?? null,
    row.sent_at?.toISOString() ?? null,
  ]);
}

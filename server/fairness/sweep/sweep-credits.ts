/**
 * Re-evaluation of credits: later joins may make earlier ones suspicious, and those are held. See
 * docs/decisions/0082-credits-wait.md.
 */
import type { Brand } from '../../../brand/brand-shape.ts';
import { applyOperation } from '../../changes/make-changes.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import type { FoundSignals } from '../../line/credits/credit-store.ts';
import { Problem } from '../../problem.ts';
import { openDecideCredits } from '../decide-change.ts';
import type { FairnessGuard } from '../fairness.ts';
import {
  type Cursor,
  moveCursor,
  type OpenCredit,
  readCursor,
  readFirstTraced,
  readNewReferrers,
  readOpenCreditsBetween,
  readOpenCreditsOf,
} from './sweep-store.ts';

type SweepOptions = {
  readonly database: Database;
  readonly brand: Pick<Brand, 'tiers' | 'fairness'>;
  readonly referralCredit: Config['referralCredit'];
  readonly fairness: Pick<FairnessGuard, 'isReady' | 'reEvaluate'>;
  readonly maxMs: number;
};

const MEMBERS_AT_A_TIME = 2_000;
/** Newest friends of a code that are re-evaluated; a pass reaches the others. */
const MAX_FRIENDS = 256;
const MAX_HELD_AT_ONCE = 500;
/** Assessing so many blocks the event loop for some milliseconds. */
const ASSESSED_AT_ONCE = 200;

const ACTOR = { kind: 'system', id: null, name: 'sweep' } as const;
const REASON = 'Re-evaluated after later joins';

type Part = {
  readonly credits: readonly OpenCredit[];
  readonly to: Cursor;
  readonly isLast?: true;
};

/**
 * Re-evaluates the friends of all codes with new friends, then one part of all members with traces,
 * if anybody has joined since the last pass. Several servers may run it at once.
 */
export async function sweepCredits(options: SweepOptions): Promise<void> {
  const { database, fairness, maxMs } = options;
  if (!fairness.isReady()) return;
  const until = performance.now() + maxMs;
  for (;;) {
    const cursor = await readCursor(database);
    const part = await readPart(database, cursor);
    if (part === null) return;
    await holdSuspicious(options, part.credits);
    const isFirst = await moveCursor(database, cursor, part.to);
    if (!isFirst || part.isLast || performance.now() > until) return;
    await letOthersIn();
  }
}

async function readPart(database: Database, cursor: Cursor): Promise<Part | null> {
  const { next, pass, passEnd } = cursor;
  const { end, referrerIds } = await readNewReferrers(database, {
    from: next,
    limit: MEMBERS_AT_A_TIME,
  });
  if (end > next) {
    const friends = { referrerIds, maxFriends: MAX_FRIENDS };
    return {
      credits: await readOpenCreditsOf(database, friends),
      to: { ...cursor, next: end },
    };
  }
  if (pass < passEnd) {
    const passed = Math.min(passEnd, pass + MEMBERS_AT_A_TIME);
    return {
      credits: await readOpenCreditsBetween(database, { from: pass, end: passed }),
      to: { ...cursor, pass: passed },
      isLast: true,
    };
  }
  if (next === passEnd) return null;
  const first = (await readFirstTraced(database)) ?? next;
  return { credits: [], to: { next, pass: first, passEnd: next } };
}

async function holdSuspicious(
  options: SweepOptions,
  credits: readonly OpenCredit[],
): Promise<void> {
  const { fairness, brand } = options;
  const foundByCode = new Map<string, FoundSignals[]>();
  for (const [index, credit] of credits.entries()) {
    if (index % ASSESSED_AT_ONCE === ASSESSED_AT_ONCE - 1) await letOthersIn();
    const signals = fairness.reEvaluate(credit);
    if (signals === null || signals.score < brand.fairness.holdAt) continue;
    const found = foundByCode.get(credit.code) ?? [];
    foundByCode.set(credit.code, [...found, { friend_id: credit.friendId, ...signals }]);
  }
  for (const [code, found] of foundByCode)
    for (let from = 0; from < found.length; from += MAX_HELD_AT_ONCE) {
      await hold(options, code, found.slice(from, from + MAX_HELD_AT_ONCE));
      await letOthersIn();
    }
}

async function hold(
  { database, brand, referralCredit }: SweepOptions,
  code: string,
  found: readonly FoundSignals[],
): Promise<void> {
  const sweep = { code, found };
  const operation = openDecideCredits({ database, brand, referralCredit, sweep });
  const input = { state: 'held' as const, member_ids: found.map(({ friend_id: id }) => id) };
  try {
    await applyOperation(database, { operation, input }, { actor: ACTOR, reason: REASON });
  } catch (error) {
    // Another server was faster, an operator has decided, or the friends have left.
    if (!(error instanceof Problem && error.code === 'conflict')) throw error;
  }
}

import type { CreditState } from '../../contract/member-states.ts';
import type { ChangeInput } from '../../contract/operator/changes.ts';
import { MAX_NAMED_MEMBERS } from '../../contract/operator/limits.ts';
import { readReferralCode } from '../../contract/referral-code-rules.ts';
import type { Subject } from '../access/audit/audit-store.ts';
import { countOf } from '../changes/count-words.ts';
import type { Effects, LongWork, Operation } from '../changes/operation.ts';
import type { Config } from '../config.ts';
import {
  type CreditGroup,
  canUndoDecision,
  type Decided,
  type Decision,
  type DecisionPlan,
  decideCredits,
  findFriends,
  type Reader,
  undoDecision,
} from '../line/credits/credit-store.ts';
import {
  type DecisionEffects,
  explainNoChange,
  previewDecision,
} from '../line/credits/decision-effects.ts';
import { readMemberId } from '../line/member-id-rules.ts';
import { describeTiers } from '../members/changes/describe-removal.ts';
import type { Platform } from '../module.ts';
import { conflict, invalidField, type Problem } from '../problem.ts';

type Input = ChangeInput<'decide-credits'>;

const MAX_DECIDED = 20_000;
/** The line is locked for less than a tenth of a second. */
export const DECIDED_AT_ONCE = 250;
const DECIDED_AGAIN = 'Somebody decided about these friends again since, or the members have left.';
const GROUP_FIELDS: ReadonlySet<string> = new Set(['code', 'domain', 'network_of']);
/** No member has it. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
const DECIDED = { given: 'approved', refused: 'refused', held: 'held for review' } as const;
const STATES_FOR: Readonly<Record<Input['state'], readonly CreditState[]>> = {
  given: ['held', 'refused'],
  refused: ['given', 'pending', 'held'],
  held: ['given', 'pending'],
};

export type CreditOptions = Pick<Platform, 'database' | 'brand'> & {
  readonly config: Pick<Config, 'referralCredit'>;
};

export function openDecideCredits(
  { database, brand, config }: CreditOptions,
  decider?: 'bounce',
): Operation<'decide-credits'> {
  const { kysely } = database;

  async function readDecision(input: Input): Promise<Decision> {
    const states = STATES_FOR[input.state];
    const friendIds = await findIds(input, states);
    if (friendIds.length > MAX_DECIDED)
      throw conflict(
        `These are more than ${countOf(MAX_DECIDED, 'friend')}: decide in several steps.`,
      );
    return {
      friendIds,
      ...(input.member_ids === undefined && { states }),
      state: input.state,
      ...(decider && { decider }),
      needsConfirmation: config.referralCredit === 'confirm',
      alsoDecided: input.again ?? false,
    };
  }

  async function findIds(input: Input, states: readonly CreditState[]): Promise<string[]> {
    if (input.member_ids !== undefined) {
      if (Object.keys(input).some((field) => GROUP_FIELDS.has(field)))
        throw invalidField('A decision needs either "member_ids", or one of the other groups.');
      return input.member_ids.flatMap((id) => readMemberId(id) ?? []);
    }
    return await findFriends(kysely, readGroup(input), { states, limit: MAX_DECIDED + 1 });
  }

  return {
    lock: 'line',
    triesUndoUnlocked: true,

    async read(input) {
      const decision = await readDecision(input);
      const effects = await previewDecision(kysely, decision, brand);
      if (effects.decided.length === 0)
        throw await noChange(kysely, decision.friendIds, decision.state);
      return effects;
    },

    async plan(_, effects: DecisionEffects) {
      return { ...describe(effects, brand), subject: subjectOf(effects.decided) };
    },

    async apply(transaction, input, effects: DecisionEffects) {
      const { moved, entering: _entering, tiers, ...planned } = effects;
      const { expected = MAX_DECIDED } = input;
      if (planned.decided.length > expected)
        throw conflict(
          `${countOf(planned.decided.length, 'friend')} would change by now, and not ` +
            `${expected}: look at the preview again.`,
        );
      const { decided } = isLong(planned) ? planned : await decideCredits(transaction, planned);
      const count = decided.length;
      if (count === 0) throw await noChange(transaction, idsOf(planned.decided), input.state);
      const { counts } = describe({ ...effects, decided }, brand);
      return {
        summary:
          (isLong(planned)
            ? `The decision that ${countOf(count, 'friend is', 'friends are')} ` +
              `${DECIDED[input.state]} began: ${countOf(moved, 'position moves', 'positions move')}`
            : `${describeMade(input.state, count)}, ${countOf(moved, 'position')} moved`) +
          `${describeTiers(tiers)}.`,
        subject: subjectOf(decided),
        details: {
          state: input.state,
          ...counts,
          ...(input.code !== undefined && { code: input.code }),
          ...(input.domain !== undefined && { domain: input.domain }),
          ...(count <= MAX_NAMED_MEMBERS && { member_ids: idsOf(decided) }),
        },
        // Undoing would count as an operator's decision, which a bounce leaves alone.
        undo: decider === undefined ? { ...planned, decided } : null,
      };
    },

    async undo(transaction, made: Decided, isTried) {
      const count = made.decided.length;
      if (isLong(made))
        return { summary: `The undo of the decision about ${countOf(count, 'friend')} began.` };
      const restored = isTried
        ? Number(await canUndoDecision(transaction, made))
        : await undoDecision(transaction, made);
      if (restored === 0) throw conflict(DECIDED_AGAIN);
      return { summary: describeUndone(restored, count - restored) };
    },

    long: {
      isLong,
      open: openParts,
    },
  };
}

/** In the order of ids, so that an erased friend moves no part. */
function openParts(planned: DecisionPlan, isUndo: boolean): LongWork {
  const sorted = planned.decided.toSorted((a, b) => (a.friend_id < b.friend_id ? -1 : 1));
  return {
    partAfter(last) {
      const from = sorted.findIndex(({ friend_id: id }) => last === null || id > last);
      const decided = from < 0 ? [] : sorted.slice(from, from + DECIDED_AT_ONCE);
      const part = { ...planned, decided };
      const lastId = decided.at(-1)?.friend_id;
      if (lastId === undefined) return null;
      return {
        last: lastId,
        make: async (transaction) =>
          isUndo
            ? await undoDecision(transaction, part)
            : (await decideCredits(transaction, part)).decided.length,
      };
    },
    summarize(done) {
      const others = sorted.length - done;
      if (isUndo) return describeUndone(done, others);
      return `${describeMade(planned.state, done)}.${describeOthers(others)}`;
    },
  };
}

const isLong = ({ decided }: Pick<Decided, 'decided'>) => decided.length > DECIDED_AT_ONCE;

/**
 * A rival can bring friends to any code, so friends are never held or refused by the code alone:
 * those at another domain and from another network stay as they are.
 */
function readGroup({ state, code, domain, network_of: friendId }: Input): CreditGroup {
  if (domain === undefined && friendId === undefined && (code === undefined || state !== 'given'))
    throw invalidField(
      'A decision needs "member_ids", "domain" or "network_of"; "code" alone only approves.',
    );
  return {
    code: code === undefined ? null : (readReferralCode(code) ?? ''),
    domain: domain === undefined ? null : domain.trim().toLowerCase(),
    networkOf: friendId === undefined ? null : (readMemberId(friendId) ?? NOBODY),
  };
}

async function noChange(
  reader: Reader,
  [friendId, ...others]: readonly string[],
  state: Input['state'],
): Promise<Problem> {
  return conflict(
    friendId !== undefined && others.length === 0
      ? await explainNoChange(reader, friendId)
      : `No friend would be ${DECIDED[state]}: all of them are so already.`,
  );
}

function describe(
  { decided, moved, entering, tiers, state }: DecisionEffects,
  { maskCount }: Pick<CreditOptions['brand'], 'maskCount'>,
): Effects {
  const pending = decided.filter(({ after }) => after === 'pending').length;
  const sentences = [
    `${countOf(decided.length, 'friend is', 'friends are')} ${DECIDED[state]}.`,
    `${countOf(moved, 'position moves', 'positions move')}` + `${describeTiers(tiers)}.`,
  ];
  if (state !== 'given')
    sentences.push(
      decided.length === 1
        ? 'The friend keeps their own place in line.'
        : 'They keep their own places in line.',
    );
  if (entering > 0)
    sentences.push(
      `${countOf(entering, 'member enters', 'members enter')} the first ${maskCount} and will ` +
        'be mailed.',
    );
  if (pending > 0)
    sentences.push(
      `${countOf(pending, 'friend has', 'friends have')} yet to confirm: until then ` +
        'they do not count.',
    );
  const sum = (levels: ReadonlyMap<number, number>) =>
    [...levels.values()].reduce((all, members) => all + members, 0);
  return {
    sentences,
    counts: {
      credits: decided.length,
      moved,
      lost_tier: sum(tiers.lost),
      reached_tier: sum(tiers.reached),
      pending,
    },
  };
}

function describeMade(state: Input['state'], count: number): string {
  return `${countOf(count, 'friend was', 'friends were')} ${DECIDED[state]}`;
}

function describeUndone(count: number, others: number): string {
  return `${countOf(count, 'friend is', 'friends are')} as before.${describeOthers(others)}`;
}

function describeOthers(count: number): string {
  return count === 0 ? '' : ` ${countOf(count, 'other has', 'others have')} changed since.`;
}

function idsOf(decided: Decided['decided']): string[] {
  return decided.map(({ friend_id: id }) => id);
}

function subjectOf([one, ...others]: Decided['decided']): Subject | null {
  return one === undefined || others.length > 0 ? null : { kind: 'member', id: one.friend_id };
}

import { randomBytes } from 'node:crypto';
import type { Brand } from '../../../brand/brand-shape.ts';
import type { ReferralCredit } from '../../../contract/member-states.ts';
import { REFERRAL_CODE_LENGTH, referralCode } from '../../../contract/referral-code-rules.ts';
import type { ErrorBody } from '../../../contract/schemas.ts';
import { openBatcher } from '../../db/batcher.ts';
import type { Database } from '../../db/database.ts';
import { readAddress } from '../../mail/email-rules.ts';
import { Problem } from '../../problem.ts';
import { newMemberId } from '../member-id-rules.ts';
import { type NewMember, newMemberJson, newMemberJsonEnd } from '../member-view.ts';
import { type JoinRequest, joinColumns, requestHash } from './join-request.ts';
import { decideWithRetry } from './join-retry.ts';
import {
  type DecidedRow,
  isCodeTaken,
  type JoinEffects,
  type JoinRow,
  joinMembers,
  readKeptJoin,
} from './join-store.ts';
import { describePause } from './pause-joining.ts';

export type JoinAnswer = {
  readonly statusCode: 201 | 409;
  readonly body: string;
  readonly memberId: string | null;
  readonly referralCode: string | null;
};

const BATCHES = { maxBatchSize: 256, minBeside: 16, maxWaiting: 4096, maxWaitMs: 5_000 };
/** One batch holds the line lock; on PostgreSQL a second one waits for it. */
const MAX_IN_FLIGHT = { embedded: 1, postgres: 2 };

/** At a million members, one new code in a billion is taken: several mean broken randomness. */
const MAX_CODES_TRIED = 5;

const ID_BYTES = 10;

/** docs/behaviour.md 8 fixes the words "already registered"; the site goes by the code. */
const KNOWN: JoinAnswer = {
  statusCode: 409,
  body: JSON.stringify({
    detail: 'This email is already registered. Check your email for your status link.',
    code: 'already_registered',
  } satisfies ErrorBody),
  memberId: null,
  referralCode: null,
};

type JoinQueueOptions = Partial<Pick<JoinEffects, 'joinedMail' | 'knownMail'>> & {
  readonly database: Database;
  readonly brand: Brand;
  readonly referralCredit?: ReferralCredit;
  readonly random?: (length: number) => Uint8Array;
};

export type JoinQueue = ReturnType<typeof openJoinQueue>;

export function openJoinQueue(options: JoinQueueOptions) {
  const { database, brand, referralCredit = 'settle', random = randomBytes } = options;
  const { joinedMail = null, knownMail = null } = options;
  const givesCredit = referralCredit !== 'confirm';
  const effects = { givesCredit, joinedMail, knownMail };
  const bodyEnd = newMemberJsonEnd(brand.tiers);
  const batcher = openBatcher<JoinRequest, JoinAnswer>({
    ...BATCHES,
    maxInFlight: MAX_IN_FLIGHT[database.engine],
    runBatch: (joins) => decideWithRetry(joins, decide),
  });

  async function decide(joins: readonly JoinRequest[]): Promise<(JoinAnswer | Problem)[]> {
    const firstOfKey = new Map<string | null, JoinRequest>();
    for (const join of joins)
      if (join.idempotencyKey !== null && !firstOfKey.has(join.idempotencyKey))
        firstOfKey.set(join.idempotencyKey, join);
    const firstOf = (join: JoinRequest) => firstOfKey.get(join.idempotencyKey) ?? join;
    const firsts = joins.filter((join) => firstOf(join) === join);
    const written = await write(firsts);
    const answers = new Map(firsts.map((join, index) => [join, written[index]]));
    return joins.map((join) => {
      const first = firstOf(join);
      const isSame = first === join || requestHash(first) === requestHash(join);
      return isSame ? (answers.get(first) as JoinAnswer | Problem) : keyConflict();
    });
  }

  async function write(
    joins: readonly JoinRequest[],
    codesTried = 1,
  ): Promise<(JoinAnswer | Problem)[]> {
    const now = Date.now();
    const idBytes = slices(randomBytes(ID_BYTES * joins.length), ID_BYTES);
    const codeBytes = slices(random(REFERRAL_CODE_LENGTH * joins.length), REFERRAL_CODE_LENGTH);
    const rows = joins.map((join, ordinal) => ({
      ...joinColumns(join),
      ordinal,
      id: newMemberId(now, idBytes(ordinal)),
      referral_code: referralCode(codeBytes(ordinal)),
    }));
    const networks = joins.map(({ network = null }) => network);
    try {
      const answers: (JoinAnswer | Problem)[] = [];
      let paused: Problem | null = null;
      for (const decided of await joinMembers(database, rows, networks, effects))
        if (decided.status_code === 503)
          answers[decided.ordinal] = paused ??= await describePause(database);
        else answers[decided.ordinal] = answerOf(decided, rows[decided.ordinal] as JoinRow);
      return answers;
    } catch (error) {
      if (!isCodeTaken(error) || codesTried === MAX_CODES_TRIED) throw error;
      return await write(joins, codesTried + 1);
    }
  }

  function answerOf(decided: DecidedRow, row: JoinRow): JoinAnswer | Problem {
    if (decided.status_code === 201) return joined({ ...row, ...row.entered }, decided.position);
    if (decided.status_code === 200) return joined(decided, decided.position);
    return decided.status_code === 409 ? KNOWN : keyConflict();
  }

  function joined(member: NewMember, position: number): JoinAnswer {
    return {
      statusCode: 201,
      body: newMemberJson(member) + position + bodyEnd,
      memberId: member.id,
      referralCode: member.referral_code,
    };
  }

  return {
    async join(request: JoinRequest): Promise<JoinAnswer> {
      const { email, address = readAddress(email) } = request;
      return await batcher.submit({ ...request, address });
    },
    /** Answers an earlier join with the same Idempotency-Key and body; null for none. */
    async recall(request: JoinRequest): Promise<JoinAnswer | null> {
      if (request.idempotencyKey === null) return null;
      const kept = await readKeptJoin(database, joinColumns(request));
      return kept && joined(kept, kept.position);
    },
    close: () => batcher.close(),
  };
}

/** Gives each ordinal its own bytes: one call a batch costs far less. */
function slices(bytes: Uint8Array, length: number): (ordinal: number) => Uint8Array {
  return (ordinal) => bytes.subarray(ordinal * length, (ordinal + 1) * length);
}

function keyConflict(): Problem {
  return new Problem('idempotency_conflict', 'This Idempotency-Key was used for another request.');
}

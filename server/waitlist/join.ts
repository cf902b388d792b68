import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Brand } from '../../brand/brand-shape.ts';
import { openBatcher } from '../db/batcher.ts';
import type { Database } from '../db/database.ts';
import { Problem } from '../problem.ts';
import { REFERRAL_CODE_LENGTH, readReferralCode, referralCode } from '../referrals/referral-code-rules.ts';
import { type EmailAddress, readEmail } from './email-rules.ts';
import { decideWithRetry } from './join-retry.ts';
import { newMemberJson, newMemberJsonEnd } from './member-view.ts';
import { type DecidedRow, type JoinBatch, type JoinRow, joinMembers, readKeptAnswer } from './store.ts';

export type JoinRequest = {
  /** As typed. */
  readonly email: string;
  /** As sent; one that matches nobody joins without credit. */
  readonly referredBy: string | null;
  readonly idempotencyKey: string | null;
};

export type JoinAnswer = {
  readonly statusCode: 201 | 409;
  /** The exact JSON bytes of the answer. */
  readonly body: string;
  /** Null with 409: who is already there is told to nobody. */
  readonly memberId: string | null;
};

export type JoinQueue = {
  /** Throws Problem invalid_field, idempotency_conflict, too_busy or unavailable. */
  join(request: JoinRequest): Promise<JoinAnswer>;
  /** The answer that is kept for the same request with the same Idempotency-Key; null when there is none. */
  recall(request: JoinRequest): Promise<JoinAnswer | null>;
  /** Finishes what was accepted. */
  close(): Promise<void>;
};

type Candidate = EmailAddress & {
  readonly referredBy: string | null;
  readonly keyHash: string | null;
  readonly requestHash: string;
};

const BATCHES = { maxBatchSize: 256, minBeside: 16, maxWaiting: 4096, maxWaitMs: 5_000 };
/** One batch has the row of the line; on PostgreSQL a second one stands by for it. */
const MAX_IN_FLIGHT = { embedded: 1, postgres: 2 };

/** A taken code has a chance of 1 in a billion at a million members; several in a row mean broken randomness. */
const MAX_CODES_TRIED = 5;

/** SPEC 8 recognises the duplicate by "already registered". */
const KNOWN_BODY = JSON.stringify({
  detail: 'This email is already registered. Check your email for your status link.',
});

type JoinQueueOptions = Partial<Pick<JoinBatch, 'joinedMail' | 'knownMail'>> & {
  readonly database: Database;
  readonly brand: Brand;
  /** When a referrer is credited: `join` unless said. */
  readonly referralCredit?: 'join' | 'confirm';
  /** Makes the bytes of referral codes. */
  readonly random?: (length: number) => Uint8Array;
};

/** Joins of one node, written in batches, each with the mail that it brings about: none unless said. */
export function openJoinQueue(options: JoinQueueOptions): JoinQueue {
  const {
    database,
    brand,
    referralCredit = 'join',
    joinedMail = null,
    knownMail = null,
    random = randomBytes,
  } = options;
  const batcher = openBatcher<Candidate, JoinAnswer>({
    ...BATCHES,
    maxInFlight: MAX_IN_FLIGHT[database.engine],
    runBatch: (candidates) => decideWithRetry(candidates, decide),
  });

  const givesCredit = referralCredit === 'join';
  const bodyEnd = newMemberJsonEnd(brand.tiers, givesCredit ? undefined : { pendingReferrals: 0, isConfirmed: false });
  const batch = { bodyEnd, knownBody: KNOWN_BODY, givesCredit, joinedMail, knownMail };

  async function decide(candidates: readonly Candidate[], codesTried = 0): Promise<(JoinAnswer | Problem)[]> {
    if (codesTried === MAX_CODES_TRIED) throw new Error('Every new referral code is taken.');
    const bytes = random(REFERRAL_CODE_LENGTH * candidates.length);
    const rows = candidates.map((candidate, ordinal) => draftRow(candidate, ordinal, bytes));
    const decided = await joinMembers(database, { ...batch, rows });
    const bySlot = new Map(decided.map((row) => [row.slot, row]));
    const decisions = rows.map((row) => bySlot.get(row.key_hash ?? row.id));
    const withTakenCode = candidates.filter((_, index) => decisions[index] === undefined);
    const later = withTakenCode.length > 0 ? (await decide(withTakenCode, codesTried + 1)).values() : [].values();
    return candidates.map((candidate, index) => {
      const decision = decisions[index];
      return decision ? answerOf(candidate, decision) : (later.next().value as JoinAnswer | Problem);
    });
  }

  function draftRow(candidate: Candidate, ordinal: number, bytes: Uint8Array): JoinRow {
    const id = randomUUID();
    const code = referralCode(bytes.subarray(ordinal * REFERRAL_CODE_LENGTH, (ordinal + 1) * REFERRAL_CODE_LENGTH));
    return {
      ordinal,
      id,
      email: candidate.email,
      email_identity: candidate.identity,
      referral_code: code,
      referred_by: candidate.referredBy,
      key_hash: candidate.keyHash,
      request_hash: candidate.requestHash,
      body_before_place: newMemberJson({ id, email: candidate.email, referralCode: code }),
    };
  }

  return {
    join: async (request) => batcher.ask(readCandidate(request)),
    async recall(request) {
      const candidate = readCandidate(request);
      const kept = candidate.keyHash === null ? null : await readKeptAnswer(database, candidate.keyHash);
      const answer = kept && answerOf(candidate, kept);
      return answer instanceof Problem ? null : answer;
    },
    close: () => batcher.close(),
  };
}

function readCandidate({ email, referredBy, idempotencyKey }: JoinRequest): Candidate {
  const address = readEmail(email);
  if (address === null)
    throw new Problem('invalid_field', 'This does not look like an email address. Please check it.');
  return {
    ...address,
    referredBy: referredBy === null ? null : readReferralCode(referredBy),
    keyHash: idempotencyKey === null ? null : digest(idempotencyKey),
    requestHash: digest(JSON.stringify([email, referredBy])),
  };
}

function answerOf(candidate: Candidate, decided: DecidedRow): JoinAnswer | Problem {
  if (decided.request_hash !== candidate.requestHash)
    return new Problem('idempotency_conflict', 'This Idempotency-Key was used for another request.');
  const { status_code: statusCode, body, member_id: memberId } = decided;
  return { statusCode, body, memberId: statusCode === 201 ? memberId : null };
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

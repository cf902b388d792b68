import { hash, randomBytes } from 'node:crypto';
import type { Brand } from '../../../brand/brand-shape.ts';
import {
  REFERRAL_CODE_LENGTH,
  readReferralCode,
  referralCode,
} from '../../../contract/referral-code-rules.ts';
import type { ErrorBody } from '../../../contract/schemas.ts';
import { openBatcher } from '../../db/batcher.ts';
import type { Database } from '../../db/database.ts';
import { type EmailAddress, readEmail } from '../../mail/email-rules.ts';
import { Problem } from '../../problem.ts';
import { newMemberId } from '../member-id-rules.ts';
import { newMemberJson, newMemberJsonEnd } from '../member-view.ts';
import type { Source } from '../sources/source-rules.ts';
import { decideWithRetry } from './join-retry.ts';
import {
  type DecidedRow,
  isCodeTaken,
  type JoinEffects,
  type JoinRow,
  joinMembers,
  type KeptRow,
  readKeptJoin,
} from './join-store.ts';
import { describePause } from './pause-joining.ts';
import { type FraudSignals, type OwnMailbox, signalColumns } from './signal-columns.ts';

export type JoinRequest = {
  readonly email: string;
  /** Result of readAddress, when the caller has it. */
  readonly address?: EmailAddress;
  /** As sent; a code that matches nobody joins without credit. */
  readonly referredBy: string | null;
  /** Result of readReferralCode, when the caller has it. */
  readonly code?: string | null;
  readonly idempotencyKey: string | null;
  readonly source?: Source | null;
  /** When the mail of the join is sent; absent or null: now. */
  readonly mailAt?: Date | null;
  readonly signals?: FraudSignals | null;
  /** Compares the mailbox of a referrer whose join is not remembered. */
  readonly ownMailbox?: OwnMailbox | null;
};

export type JoinAnswer = {
  readonly statusCode: 201 | 409;
  readonly body: string;
  /** Null with 409, which reveals nothing about the member. */
  readonly memberId: string | null;
  readonly referralCode: string | null;
};

export type JoinQueue = {
  /** Throws Problem invalid_field, idempotency_conflict, paused, too_busy or unavailable. */
  join(request: JoinRequest): Promise<JoinAnswer>;
  /** The answer to an earlier join with the same Idempotency-Key and body; null for none. */
  recall(request: JoinRequest): Promise<JoinAnswer | null>;
  /** Finishes accepted joins. */
  close(): Promise<void>;
};

/** A join that waits for its batch, which generates id and code. */
type Candidate = Omit<JoinRow, 'ordinal' | 'id' | 'referral_code'>;

const BATCHES = { maxBatchSize: 256, minBeside: 16, maxWaiting: 4096, maxWaitMs: 5_000 };
/** One batch holds the line lock; on PostgreSQL a second one waits for it. */
const MAX_IN_FLIGHT = { embedded: 1, postgres: 2 };

/**
 * At a million members, one new code in a billion is taken: several in a row mean broken
 * randomness.
 */
const MAX_CODES_TRIED = 5;

const HOLD_THRESHOLD = 100;

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
  readonly referralCredit?: 'join' | 'confirm';
  /** A score of at least this holds the credit; a smaller one is only recorded. */
  readonly holdThreshold?: number;
  readonly random?: (length: number) => Uint8Array;
};

/** Writes the joins of one node in batches, each with its mail: none by default. */
export function openJoinQueue(options: JoinQueueOptions): JoinQueue {
  const { database, brand, referralCredit = 'join', random = randomBytes } = options;
  const { joinedMail = null, knownMail = null, holdThreshold = HOLD_THRESHOLD } = options;
  const givesCredit = referralCredit === 'join';
  const effects = { givesCredit, joinedMail, knownMail };
  const bodyEnd = newMemberJsonEnd(
    brand.tiers,
    givesCredit ? undefined : { pendingReferrals: 0, isConfirmed: false },
  );
  const batcher = openBatcher<Candidate, JoinAnswer>({
    ...BATCHES,
    maxInFlight: MAX_IN_FLIGHT[database.engine],
    runBatch: (candidates) => decideWithRetry(candidates, decide),
  });

  /** Decides the first candidate of each key; later ones get the same answer. */
  async function decide(candidates: readonly Candidate[]): Promise<(JoinAnswer | Problem)[]> {
    const firstOfKey = new Map<string, Candidate>();
    for (const candidate of candidates)
      if (candidate.key_hash !== null && !firstOfKey.has(candidate.key_hash))
        firstOfKey.set(candidate.key_hash, candidate);
    const firstOf = (each: Candidate) => firstOfKey.get(each.key_hash ?? '') ?? each;
    const asked = candidates.filter((each) => firstOf(each) === each);
    const answers = new Map(
      (await write(asked)).map((answer, index) => [asked[index] as Candidate, answer]),
    );
    return candidates.map((each) =>
      firstOf(each).request_hash === each.request_hash
        ? (answers.get(firstOf(each)) as JoinAnswer | Problem)
        : keyConflict(),
    );
  }

  async function write(
    candidates: readonly Candidate[],
    codesTried = 1,
  ): Promise<(JoinAnswer | Problem)[]> {
    const now = Date.now();
    const idBytes = slices(randomBytes(ID_BYTES * candidates.length), ID_BYTES);
    const codeBytes = slices(
      random(REFERRAL_CODE_LENGTH * candidates.length),
      REFERRAL_CODE_LENGTH,
    );
    const rows = candidates.map((candidate, ordinal) => ({
      ...candidate,
      ordinal,
      id: newMemberId(now, idBytes(ordinal)),
      referral_code: referralCode(codeBytes(ordinal)),
    }));
    try {
      const answers: (JoinAnswer | Problem)[] = [];
      let paused: Problem | null = null;
      for (const decided of await joinMembers(database, rows, effects))
        if (decided.status_code === 503)
          answers[decided.ordinal] = paused ??= await describePause(database);
        else answers[decided.ordinal] = answerOf(decided, rows[decided.ordinal] as JoinRow);
      return answers;
    } catch (error) {
      if (!isCodeTaken(error) || codesTried === MAX_CODES_TRIED) throw error;
      return await write(candidates, codesTried + 1);
    }
  }

  function answerOf(
    decided: Exclude<DecidedRow, { status_code: 503 }>,
    row: JoinRow,
  ): JoinAnswer | Problem {
    if (decided.status_code === 409) return KNOWN;
    if (decided.status_code === 422) return keyConflict();
    if (decided.status_code === 200) return joined(decided);
    const { id, email, referral_code } = row;
    return joined({ member_id: id, email, referral_code, position: decided.position });
  }

  function joined({ member_id: id, email, referral_code, position }: KeptRow): JoinAnswer {
    const start = newMemberJson({ id, email, referralCode: referral_code });
    return {
      statusCode: 201,
      body: start + position + bodyEnd,
      memberId: id,
      referralCode: referral_code,
    };
  }

  return {
    join: async (request) => batcher.submit(readCandidate(request, holdThreshold)),
    async recall(request) {
      const { key_hash: keyHash, request_hash: requestHash } = readCandidate(request, 0);
      if (keyHash === null) return null;
      const kept = await readKeptJoin(database, { keyHash, requestHash });
      return kept && joined(kept);
    },
    close: () => batcher.close(),
  };
}

/** Gives each ordinal its own bytes: one call a batch costs far less. */
function slices(bytes: Uint8Array, length: number): (ordinal: number) => Uint8Array {
  return (ordinal) => bytes.subarray(ordinal * length, (ordinal + 1) * length);
}

export function readAddress(email: string): EmailAddress {
  const address = readEmail(email);
  if (address !== null) return address;
  throw new Problem('invalid_field', 'This does not look like an email address. Please check it.');
}

function readCandidate(request: JoinRequest, holdThreshold: number): Candidate {
  const { email, address = readAddress(email), referredBy, idempotencyKey, mailAt } = request;
  const { code = referredBy === null ? null : readReferralCode(referredBy) } = request;
  const { source = null, signals = null, ownMailbox = null } = request;
  return {
    email: address.email,
    email_identity: address.identity,
    referred_by: code,
    key_hash: idempotencyKey === null ? null : digest(idempotencyKey),
    request_hash: digest(JSON.stringify([email, referredBy])),
    source,
    ...(mailAt && { mail_at: mailAt }),
    ...signalColumns({ signals, ownMailbox }, holdThreshold),
  };
}

function keyConflict(): Problem {
  return new Problem('idempotency_conflict', 'This Idempotency-Key was used for another request.');
}

/** 128 bits in the form of a UUID, which PostgreSQL stores in 16 bytes. */
function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

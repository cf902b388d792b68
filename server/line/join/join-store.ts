import { sql } from 'kysely';
import type { MailKind } from '../../../contract/mails.ts';
import type { Database } from '../../db/database.ts';
import type { Source } from '../sources/source-rules.ts';

/** Fraud signals as meet_requests takes them. */
export type SignalColumns = {
  readonly rules?: readonly string[];
  readonly score?: number;
  readonly holds?: boolean;
  /** The same with the rule own-mailbox, for a referrer whose address matches the spellings. */
  readonly own_spellings?: string;
  readonly own_score?: number;
  readonly own_holds?: boolean;
};

export type JoinRow = SignalColumns & {
  readonly ordinal: number;
  readonly id: string;
  readonly email: string;
  readonly email_identity: string;
  readonly referral_code: string;
  readonly referred_by: string | null;
  readonly key_hash: string | null;
  readonly request_hash: string;
  readonly source: Source | null;
  /** When the mail of the join is sent; absent: now. */
  readonly mail_at?: Date;
};

export type DecidedRow =
  | { readonly ordinal: number; readonly status_code: 201; readonly position: number }
  | ({ readonly ordinal: number; readonly status_code: 200 } & KeptRow)
  | { readonly ordinal: number; readonly status_code: 409 }
  | { readonly ordinal: number; readonly status_code: 422 }
  | { readonly ordinal: number; readonly status_code: 503 };

export type KeptRow = {
  readonly member_id: string;
  readonly email: string;
  readonly referral_code: string;
  readonly position: number;
};

export type JoinEffects = {
  /** Credits the referrers now, not when the friends confirm. */
  readonly givesCredit: boolean;
  /** Kind of mail for new members, and for known ones; null for none. */
  readonly joinedMail: MailKind | null;
  readonly knownMail: MailKind | null;
};

/** Writes a batch of joins in one transaction and one round trip. */
export async function joinMembers(
  { kysely }: Database,
  rows: readonly JoinRow[],
  { givesCredit, joinedMail, knownMail }: JoinEffects,
): Promise<DecidedRow[]> {
  const { input, sources } = batchOf(rows);
  const decided = await sql<DecidedRow>`
    select * from join_members(
      ${input}, ${sources}, ${givesCredit}, ${joinedMail}, ${knownMail})
  `.execute(kysely);
  return decided.rows;
}

/** Lists each source of the batch once; rows refer to it by its index, from 1. */
function batchOf(rows: readonly JoinRow[]): { input: string; sources: string | null } {
  const places = new Map<string, number>();
  function placeOf(source: Source): number {
    const text = JSON.stringify(source);
    const place = places.get(text) ?? places.size + 1;
    places.set(text, place);
    return place;
  }
  const input = rows.map((row) => ({ ...row, source: row.source && placeOf(row.source) }));
  return {
    input: JSON.stringify(input),
    sources: places.size > 0 ? `[${[...places.keys()].join(',')}]` : null,
  };
}

/** The member who joined with this Idempotency-Key and body in the last 24 hours, or null. */
export async function readKeptJoin(
  { kysely }: Database,
  { keyHash, requestHash }: { keyHash: string; requestHash: string },
): Promise<KeptRow | null> {
  const { rows } = await sql<KeptRow>`
    select id as member_id, email, referral_code, join_position as position from member
    where key_hash = ${keyHash} and request_hash = ${requestHash}
      and joined_at > clock_timestamp() - interval '24 hours'
  `.execute(kysely);
  return rows[0] ?? null;
}

export function isCodeTaken(error: unknown): boolean {
  return (
    error instanceof Error &&
    'constraint' in error &&
    error.constraint === 'member_referral_code_key'
  );
}

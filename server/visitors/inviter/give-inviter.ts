/** A member who joined without an invite says who invited them: decisions/0121-inviter.md. */
import type { Database } from '../../db/database.ts';
import { type Assessment, signalColumns } from '../../line/join/signal-columns.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import { getSource } from '../../line/sources/source-store.ts';
import { lineUnavailable } from '../../line/store.ts';
import { Problem } from '../../problem.ts';
import type { Invite } from './inviter-rules.ts';
import { type Given, readInvited, writeInviter } from './inviter-store.ts';

/** A member in line, and until when they may name an inviter; null: no longer, or they did. */
export type Invited = {
  readonly id: string;
  /** The identity of the e-mail address. */
  readonly identity: string;
  readonly code: string;
  readonly until: Date | null;
  /** Why they may not. */
  readonly refusal: Problem | null;
};

type Inviter = Assessment & {
  readonly invite: Invite;
  readonly referralCredit: 'join' | 'confirm';
  /** A fraud signals with at least this score holds the credit. */
  readonly holdThreshold: number;
};

const REFUSALS: Readonly<Record<Exclude<Given, 'given' | 'gone'>, Problem>> = {
  known: new Problem('conflict', 'We know who invited you already.'),
  late: new Problem(
    'conflict',
    'You can say who invited you within 24 hours of joining. That time is over.',
  ),
  unknown: new Problem(
    'invalid_field',
    'No member has this code. Please check it, or ask your friend for their link.',
  ),
  own: new Problem(
    'conflict',
    'This is your own code. Enter the one of the friend who invited you.',
  ),
  friend: new Problem(
    'conflict',
    'This member came by your invite, so they cannot be your inviter.',
  ),
};

/** Throws Problem unknown_member or unavailable. */
export async function getInvited(database: Database, memberId: string): Promise<Invited> {
  const id = readMemberId(memberId);
  if (id === null) throw unknownMember();
  const row = await readInvited(database, id).catch((error: unknown) => {
    throw lineUnavailable(error);
  });
  if (row === null) throw unknownMember();
  const refusal = row.is_invited ? REFUSALS.known : row.is_late ? REFUSALS.late : null;
  return {
    id,
    identity: row.email_identity,
    code: row.referral_code,
    until: refusal === null ? row.until : null,
    refusal,
  };
}

/**
 * Credits the inviter as the join would have. Throws Problem unknown_member, conflict,
 * invalid_field when no member has the code, or unavailable.
 */
export async function giveInviter(
  database: Database,
  { id, identity }: Invited,
  { invite, referralCredit, holdThreshold, ...assessed }: Inviter,
): Promise<void> {
  const outcome = await write().catch((error: unknown) => {
    throw lineUnavailable(error);
  });
  if (outcome === 'gone') throw unknownMember();
  if (outcome !== 'given') throw REFUSALS[outcome];

  async function write(): Promise<Given> {
    return await writeInviter(database, id, {
      inviter: {
        email_identity: identity,
        referred_by: invite.code,
        ...signalColumns(assessed, holdThreshold),
      },
      source: await sourceWith(invite.via),
      givesCredit: referralCredit === 'join',
    });
  }

  /** Null when the link does not say how it was shared, or the join did. */
  async function sourceWith(via: string) {
    if (via === '') return null;
    const source = await getSource(database, id);
    return source === null || source.via !== '' ? null : { ...source, via };
  }
}

import type { Database, Reader } from '../db/database.ts';
import { all, value } from '../db/rows.ts';
import { Problem } from '../problem.ts';

export type ReadMember = {
  readonly id: string;
  readonly email: string;
  readonly referral_code: string;
  readonly referral_count: number;
  readonly position: number;
  readonly joined_referrals: number;
  readonly confirmed_referrals: number;
  readonly settled_referrals: number;
  readonly is_confirmed: boolean;
};

/** Positions are of one moment; unknown ids are left out. Throws Problem unavailable. */
export async function readMembers(
  { kysely }: Database,
  ids: readonly string[],
): Promise<ReadMember[]> {
  try {
    return await all<ReadMember>(kysely)`
      select * from read_members(${ids}::uuid[])
    `;
  } catch (error) {
    throw lineUnavailable(error);
  }
}

export function lineUnavailable(cause: unknown): Problem {
  return new Problem(
    'unavailable',
    'The line cannot be reached right now. Please try again in a few seconds.',
    { retryAfterSeconds: 5, cause },
  );
}

export function readRecipients({ kysely }: Database, ids: readonly string[]) {
  return all<{
    readonly id: string;
    readonly email: string;
    readonly referralCode: string;
    readonly referralCount: number;
    readonly position: number;
    readonly isConfirmed: boolean;
    /** Null for the address that they joined with; random once it was corrected. */
    readonly mailbox: string | null;
  }>(kysely)`
    select id, email, referral_code as "referralCode", referral_count as "referralCount",
      position, is_confirmed as "isConfirmed", mailbox
    from read_members(${ids}::uuid[])
  `;
}

/** Standings as if the newest friends of these members had never joined; null of unknown ones. */
export async function readStandingsBefore(
  { kysely }: Database,
  gains: readonly { readonly memberId: string; readonly newFriends: number }[],
) {
  const ids = gains.map(({ memberId }) => memberId);
  const friends = gains.map(({ newFriends }) => newFriends);
  const rows = await all<{ ordinal: number; position: number; referralCount: number }>(kysely)`
    select ordinal, position, referral_count as "referralCount"
    from standings_before(${ids}::uuid[], ${friends}::integer[])
  `;
  const standings = new Map(rows.map(({ ordinal, ...standing }) => [ordinal, standing]));
  return gains.map((_, index) => standings.get(index + 1) ?? null);
}

export function readTotal({ kysely }: Reader) {
  return value<number>(kysely)`select total from line_state`;
}

export type Confirmation = 'confirmed' | 'asked' | 'unknown';

/** See confirm_member.sql. */
export function confirm({ kysely }: Database, memberId: string, invitedBy: string | null = null) {
  return value<Confirmation>(kysely)`
    select confirm_member(${memberId}, ${invitedBy}::text) as outcome
  `;
}

/** Members whose codes an unconfirmed address was entered for; empty if it was one at most. */
export function readPossibleInviters({ kysely }: Database, memberId: string) {
  return all<{ code: string; email: string }>(kysely)`
    select referral_code as code, email from member
    where id in (select possible_inviters(${memberId}::uuid)) order by sequence
  `;
}

/** For an unknown code the next lower row is read, so that both take constant time. */
export async function readEmailsByCode(
  { kysely }: Database,
  codes: readonly string[],
): Promise<Map<string, string>> {
  const rows = await all<{ wanted: string; email: string; referral_code: string }>(kysely)`
    select wanted.code as wanted, nearest.email, nearest.referral_code
    from unnest(${codes}::text[]) as wanted (code)
    cross join lateral (
      select email, referral_code from member where referral_code <= wanted.code
      order by referral_code desc limit 1
    ) nearest
  `;
  return new Map(
    rows.filter((row) => row.wanted === row.referral_code).map((row) => [row.wanted, row.email]),
  );
}

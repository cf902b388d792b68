import type { Member } from '../../contract/schemas.ts';

/** A member as the operator sees one: the record of SPEC 3 and what the line knows besides. */
export type OperatorMember = Member & {
  points: number;
  is_invited: boolean;
  /** The referral code of the inviting member; null without one, or when that member has left. */
  referred_by: string | null;
  /** ISO 8601 in UTC. */
  joined_at: string;
};

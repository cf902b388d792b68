import type { Brand } from '../../brand/brand-shape.ts';
import { readReferralCode } from '../../contract/referral-code-rules.ts';
import type { Database } from '../db/database.ts';
import { readEmail } from '../mail/email-rules.ts';
import { readMemberId } from './member-id-rules.ts';
import { type OperatorMember, operatorMemberView } from './member-view.ts';
import { findMemberRows } from './store.ts';

/** Members whose id, address in any spelling, or referral code is the text. */
export async function findMembers(
  database: Database,
  brand: Brand,
  { text }: { text: string },
): Promise<OperatorMember[]> {
  const wanted = {
    id: readMemberId(text.trim()),
    identity: readEmail(text)?.identity ?? null,
    code: readReferralCode(text),
  };
  const rows = await findMemberRows(database, wanted);
  return rows.map((row) => operatorMemberView(brand.tiers, row));
}

/** The member as the operator sees them; null when nobody has the id. */
export async function getMember(
  database: Database,
  { tiers }: Pick<Brand, 'tiers'>,
  { memberId }: { memberId: string },
): Promise<OperatorMember | null> {
  const [row] = await findMemberRows(database, { id: memberId, identity: null, code: null });
  return row === undefined ? null : operatorMemberView(tiers, row);
}

import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import { readEmail } from './email-rules.ts';
import { readMemberId } from './member-id-rules.ts';
import { type OperatorMember, operatorMemberView } from './member-view.ts';
import { readReferralCode } from './referrals/referral-code-rules.ts';
import { findMemberRows, readLine } from './store.ts';

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

/**
 * The line, first to last. Read in one query: all positions are of one moment, and a slow reader
 * does not hold the embedded engine's only connection. Costs about half a kilobyte of memory per
 * member.
 */
export async function* exportMembers(
  database: Database,
  brand: Brand,
): AsyncIterable<OperatorMember> {
  for (const row of await readLine(database)) yield operatorMemberView(brand.tiers, row);
}

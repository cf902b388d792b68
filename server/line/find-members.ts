import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import { openSnapshot } from '../db/snapshot.ts';
import { readEmail } from './email-rules.ts';
import { readMemberId } from './member-id-rules.ts';
import { type OperatorMember, operatorMemberView } from './member-view.ts';
import { readReferralCode } from './referrals/referral-code-rules.ts';
import { findMemberRows, readLinePages } from './store.ts';

/** About half a megabyte of rows. */
const PAGE_SIZE = 1_000;

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

/**
 * The line of one moment, first to last. Holds one page of members in memory, and its snapshot
 * until the caller has read all or stops: see `openSnapshot` for what that costs.
 */
export async function* exportMembers(
  database: Database,
  { tiers }: Pick<Brand, 'tiers'>,
): AsyncGenerator<OperatorMember, void, undefined> {
  const snapshot = await openSnapshot(database);
  try {
    let position = 0;
    for await (const rows of readLinePages(snapshot, PAGE_SIZE))
      for (const row of rows) {
        position += 1;
        yield operatorMemberView(tiers, { ...row, position });
      }
  } finally {
    await snapshot.rollback().execute();
  }
}

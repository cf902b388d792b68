import type { Brand, Tier } from '../../../brand/brand-shape.ts';
import type { ListedMember } from '../../../contract/operator/member-list.ts';
import { OperatorMember } from '../../../contract/operator/members.ts';
import { readReferralCode } from '../../../contract/referral-code-rules.ts';
import type { Database } from '../../db/database.ts';
import { points } from '../../line/line-rules.ts';
import { readMemberId } from '../../line/member-id-rules.ts';
import { tierView } from '../../line/member-view.ts';
import { readEmail } from '../../mail/email-rules.ts';
import { readFilter } from './filter-rules.ts';
import { readOrder } from './list-cursor-rules.ts';
import { type Candidates, readListed } from './list-store.ts';
import type { MemberRow } from './projection-store.ts';
import { membersKnownBy, membersOf } from './sheet-store.ts';

const EVERYBODY = readFilter({}, []);
const JOINED = readOrder('joined', 'asc');
/** Webhooks leave the house, so credits and the state of mail stay out of them. */
const SENT = Object.keys(OperatorMember.properties) as (keyof OperatorMember)[];

export function viewMember(tiers: readonly Tier[], row: MemberRow): ListedMember {
  return {
    ...tierView(tiers, row),
    is_confirmed: row.confirmed_at !== null,
    points: points({
      credits: row.referral_count,
      isInvited: row.is_invited,
      adjustment: row.point_adjustment,
    }),
    ...row,
  };
}

export async function readMembers(
  database: Database,
  { tiers }: Pick<Brand, 'tiers'>,
  candidates: Candidates,
  limit: number,
): Promise<{ readonly member: ListedMember; readonly sequence: number }[]> {
  const query = { criteria: EVERYBODY, order: JOINED, after: null, among: candidates, limit };
  const { rows } = await readListed(database, query);
  return rows
    .map(({ member, key: [, sequence] }) => ({ member: viewMember(tiers, member), sequence }))
    .toSorted((a, b) => a.sequence - b.sequence);
}

export async function findMembers(
  database: Database,
  brand: Pick<Brand, 'tiers'>,
  { text }: { text: string },
): Promise<ListedMember[]> {
  const candidates = membersKnownBy({
    id: readMemberId(text.trim()),
    identity: readEmail(text)?.identity ?? null,
    code: readReferralCode(text),
  });
  const found = await readMembers(database, brand, candidates, 3);
  return found.map(({ member }) => member).toSorted((a, b) => a.position - b.position);
}

export async function getMember(
  database: Database,
  brand: Pick<Brand, 'tiers'>,
  { memberId }: { memberId: string },
): Promise<OperatorMember | null> {
  const [found] = await readMembers(database, brand, membersOf([memberId]), 1);
  if (found === undefined) return null;
  return Object.fromEntries(SENT.map((field) => [field, found.member[field]])) as OperatorMember;
}

import type { Brand } from '../../../brand/brand-shape.ts';
import type { Friends, MemberSheet } from '../../../contract/operator/member-sheet.ts';
import type { Member } from '../../../contract/schemas.ts';
import type { Actor } from '../../access/actor.ts';
import { listAudit } from '../../changes/changes-store.ts';
import type { Database } from '../../db/database.ts';
import { cutPage } from '../../http/cursor-rules.ts';
import { explainPosition } from '../../line/line-rules.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import { getMemberMail } from '../../notifications/lists/get-member-mail.ts';
import { viewNote } from './notes.ts';
import { readMembers } from './read-members.ts';
import { countFriends, friendsOf, membersOf, readNotes, referrerOf } from './sheet-store.ts';

const FRIENDS_PER_PAGE = 50;

export type SheetOptions = {
  readonly database: Database;
  readonly brand: Brand;
  readonly secretKey: string;
  /** Reads what the member's own page shows. */
  readonly getStatus: (memberId: string) => Promise<Member>;
};

type Readable = Pick<SheetOptions, 'database' | 'brand'>;

/** Everything about a member. Throws Problem unknown_member. */
export async function getMemberSheet(
  { database, brand, secretKey, getStatus }: SheetOptions,
  { memberId, actor }: { memberId: string; actor: Actor },
): Promise<MemberSheet> {
  const { member, sequence } = await find({ database, brand }, memberId);
  const { id } = member;
  const [inviting] = await readMembers(database, brand, referrerOf(id), 1);
  const notes = await readNotes(database, { memberId: id, actor });
  return {
    member,
    why: explainPosition(brand.lineRule, {
      sequence,
      credits: member.referral_count,
      isInvited: member.is_invited,
      adjustment: member.point_adjustment,
    }),
    brought_by: inviting?.member ?? null,
    friends: await countFriends(database, id),
    mail: await getMemberMail(database, secretKey, member),
    notes: notes.map(viewNote),
    audit: (await listAudit(database, { subject: { kind: 'member', id } })).entries,
    page: await getStatus(id),
  };
}

/** Friends of a member in order of joining, in pages. Throws Problem unknown_member. */
export async function listFriends(
  options: Readable,
  { memberId, after = '0' }: { memberId: string; after?: string | undefined },
): Promise<Friends> {
  const { database, brand } = options;
  const { id } = (await find(options, memberId)).member;
  const afterSequence = Math.min(Number(after), Number.MAX_SAFE_INTEGER);
  const limit = FRIENDS_PER_PAGE + 1;
  const friends = friendsOf(id, afterSequence, limit);
  const found = await readMembers(database, brand, friends, limit);
  const { shown, next } = cutPage(found, FRIENDS_PER_PAGE, ({ sequence }) => String(sequence));
  return { members: shown.map(({ member }) => member), next };
}

async function find({ database, brand }: Readable, memberId: string) {
  const id = readMemberId(memberId);
  const [found] = id === null ? [] : await readMembers(database, brand, membersOf([id]), 1);
  if (found === undefined) throw unknownMember();
  return found;
}

import type { Friends, MemberSheet } from '../../../contract/operator/member-sheet.ts';
import type { Actor } from '../../access/actor.ts';
import { listAudit } from '../../changes/changes-store.ts';
import { pageOf } from '../../http/cursor-rules.ts';
import { explainPosition } from '../../line/line-rules.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import type { Line } from '../../line/module.ts';
import type { Platform } from '../../module.ts';
import { getMemberMail } from '../../notifications/lists/list-mails.ts';
import { readMembers } from './read-members.ts';
import { countFriends, friendsOf, membersOf, readNotes, referrerOf } from './sheet-store.ts';

const FRIENDS_PER_PAGE = 50;

export type SheetOptions = Platform & Pick<Line, 'getStatus'>;

export async function getMemberSheet(
  options: SheetOptions,
  { memberId, actor }: { memberId: string; actor: Actor },
): Promise<MemberSheet> {
  const { database, brand, secretKey, getStatus } = options;
  const { member, sequence } = await find(options, memberId);
  const { id } = member;
  const [inviting] = await readMembers(database, brand, referrerOf(id), 1);
  return {
    member,
    why: explainPosition({
      sequence,
      credits: member.referral_count,
      isInvited: member.is_invited,
      adjustment: member.point_adjustment,
    }),
    brought_by: inviting?.member ?? null,
    friends: await countFriends(database, id),
    mail: await getMemberMail(database, secretKey, member),
    notes: await readNotes(database, { memberId: id, actor }),
    audit: (await listAudit(database, { subject: { kind: 'member', id } })).entries,
    page: await getStatus(id),
  };
}

export async function listFriends(
  options: Platform,
  { memberId, after = '0' }: { memberId: string; after?: string | undefined },
): Promise<Friends> {
  const { database, brand } = options;
  const { id } = (await find(options, memberId)).member;
  const afterSequence = Math.min(Number(after), Number.MAX_SAFE_INTEGER);
  const limit = FRIENDS_PER_PAGE + 1;
  const friends = friendsOf(id, afterSequence, limit);
  const found = await readMembers(database, brand, friends, limit);
  const { shown, next } = pageOf(found, FRIENDS_PER_PAGE, ({ sequence }) => String(sequence));
  return { members: shown.map(({ member }) => member), next };
}

async function find({ database, brand }: Platform, memberId: string) {
  const id = readMemberId(memberId);
  const [found] = id === null ? [] : await readMembers(database, brand, membersOf([id]), 1);
  if (found === undefined) throw unknownMember();
  return found;
}

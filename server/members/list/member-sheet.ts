import type { Brand } from '../../../brand/brand-shape.ts';
import type { Friends, MemberSheet } from '../../../contract/operator/member-sheet.ts';
import type { Member } from '../../../contract/schemas.ts';
import type { Actor } from '../../access/actor.ts';
import { listAudit } from '../../changes/list-audit.ts';
import type { Database } from '../../db/database.ts';
import { cutPage } from '../../http/cursor-rules.ts';
import { explainPosition } from '../../line/line-rules.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import { getMemberMail } from '../../notifications/lists/get-member-mail.ts';
import { readListedRows, viewListed } from './listed-member.ts';
import { viewNote } from './notes.ts';
import {
  countFriends,
  friendsOf,
  membersOf,
  readNotes,
  readSequence,
  referrerOf,
} from './sheet-store.ts';

const FRIENDS_PER_PAGE = 50;

export type SheetOptions = {
  readonly database: Database;
  readonly brand: Brand;
  readonly secretKey: string;
  /** What the member's own page shows. */
  readonly getStatus: (memberId: string) => Promise<Member>;
};

/** Everything about a member. Throws Problem unknown_member. */
export async function getMemberSheet(
  { database, brand, secretKey, getStatus }: SheetOptions,
  { memberId, actor }: { memberId: string; actor: Actor },
): Promise<MemberSheet> {
  const id = readMemberId(memberId);
  const sequence = id === null ? null : await readSequence(database, id);
  if (id === null || sequence === null) throw unknownMember();
  const [row] = await readListedRows(database, membersOf([id]), 1);
  if (row === undefined) throw unknownMember();
  const [broughtBy] = await readListedRows(database, referrerOf(id), 1);
  const notes = await readNotes(database, id);
  return {
    member: viewListed(brand, row),
    why: explainPosition(brand.lineRule, {
      sequence,
      credits: row.referral_count,
      isInvited: row.is_invited,
      adjustment: row.point_adjustment,
    }),
    brought_by: broughtBy === undefined ? null : viewListed(brand, broughtBy),
    friends: await countFriends(database, id),
    mail: await getMemberMail(database, secretKey, row),
    notes: notes.map((note) => viewNote(note, actor)),
    audit: (await listAudit(database, { subject: { kind: 'member', id } })).entries,
    page: await getStatus(id),
  };
}

/** Friends of a member in order of joining, in pages. Throws Problem unknown_member. */
export async function listFriends(
  { database, brand }: Pick<SheetOptions, 'database' | 'brand'>,
  { memberId, after = '0' }: { memberId: string; after?: string | undefined },
): Promise<Friends> {
  const id = readMemberId(memberId);
  if (id === null || (await readSequence(database, id)) === null) throw unknownMember();
  const afterSequence = Math.min(Number(after), Number.MAX_SAFE_INTEGER);
  const limit = FRIENDS_PER_PAGE + 1;
  const rows = await readListedRows(database, friendsOf(id, afterSequence, limit), limit);
  const bySequence = rows.toSorted((a, b) => a.key_second - b.key_second);
  const { shown, next } = cutPage(bySequence, FRIENDS_PER_PAGE, (last) => String(last.key_second));
  return {
    members: shown.map((row) => viewListed(brand, row)),
    next,
  };
}

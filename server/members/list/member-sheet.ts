import type { Brand } from '../../../brand/brand-shape.ts';
import type { Friends, MemberSheet, Note } from '../../../contract/operator/member-sheet.ts';
import type { Member } from '../../../contract/schemas.ts';
import type { Actor } from '../../access/actor.ts';
import { listAudit } from '../../changes/changes-store.ts';
import type { Database } from '../../db/database.ts';
import { pageOf } from '../../http/cursor-rules.ts';
import { explainPosition } from '../../line/line-rules.ts';
import { readMemberId as readUuid, unknownMember } from '../../line/member-id-rules.ts';
import { getMemberMail } from '../../notifications/lists/get-member-mail.ts';
import { Problem } from '../../problem.ts';
import { readMembers } from './read-members.ts';
import {
  countFriends,
  deleteNote,
  friendsOf,
  insertNote,
  membersOf,
  type NoteOf,
  readNotes,
  referrerOf,
  updateNote,
} from './sheet-store.ts';

const FRIENDS_PER_PAGE = 50;

export type SheetOptions = {
  readonly database: Database;
  readonly brand: Brand;
  readonly secretKey: string;
  readonly getStatus: (memberId: string) => Promise<Member>;
};

type Readable = Pick<SheetOptions, 'database' | 'brand'>;

export async function getMemberSheet(
  { database, brand, secretKey, getStatus }: SheetOptions,
  { memberId, actor }: { memberId: string; actor: Actor },
): Promise<MemberSheet> {
  const { member, sequence } = await find({ database, brand }, memberId);
  const { id } = member;
  const [inviting] = await readMembers(database, brand, referrerOf(id), 1);
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
    notes: await readNotes(database, { memberId: id, actor }),
    audit: (await listAudit(database, { subject: { kind: 'member', id } })).entries,
    page: await getStatus(id),
  };
}

/** In order of joining. Throws Problem unknown_member. */
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
  const { shown, next } = pageOf(found, FRIENDS_PER_PAGE, ({ sequence }) => String(sequence));
  return { members: shown.map(({ member }) => member), next };
}

async function find({ database, brand }: Readable, memberId: string) {
  const id = readUuid(memberId);
  const [found] = id === null ? [] : await readMembers(database, brand, membersOf([id]), 1);
  if (found === undefined) throw unknownMember();
  return found;
}

export async function addNote(
  database: Database,
  { memberId, actor, body }: { memberId: string; actor: Actor; body: string },
): Promise<Note> {
  const id = readUuid(memberId);
  const row = id && (await insertNote(database, { memberId: id, actor, body: body.trim() }));
  if (!row) throw unknownMember();
  return row;
}

export async function editNote(
  database: Database,
  { body, ...note }: NoteOf & { readonly body: string },
): Promise<Note> {
  const row = await updateNote(database, { ...readIds(note), body: body.trim() });
  if (row === null) throw noSuchNote();
  return row;
}

export async function removeNote(database: Database, note: NoteOf): Promise<void> {
  if (!(await deleteNote(database, readIds(note)))) throw noSuchNote();
}

function readIds({ memberId, noteId, actor }: NoteOf): NoteOf {
  const [member, note] = [readUuid(memberId), readUuid(noteId)];
  if (member === null || note === null) throw noSuchNote();
  return { memberId: member, noteId: note, actor };
}

function noSuchNote(): Problem {
  return new Problem('unknown_path', 'You have no such note here: it may have been deleted.');
}

import { type RawBuilder, sql } from 'kysely';
import { CREDIT_STATES } from '../../../contract/member-states.ts';
import type { FriendCounts, Note } from '../../../contract/operator/member-sheet.ts';
import type { Actor } from '../../access/actor.ts';
import type { Database } from '../../db/database.ts';
import { isoTime } from '../../db/iso-time.ts';
import { all, first, only, some } from '../../db/rows.ts';
import { readMemberId as readUuid, unknownMember } from '../../line/member-id-rules.ts';
import { Problem } from '../../problem.ts';
import type { Candidates } from './list-store.ts';

export function membersOf(ids: readonly string[]): Candidates {
  return sql`select unnest(${ids}::uuid[]) as id`;
}

export function membersKnownBy(
  wanted: Record<'id' | 'identity' | 'code', string | null>,
): Candidates {
  return sql`
    select id from member
    where id = ${wanted.id} or email_identity = ${wanted.identity}
      or referral_code = ${wanted.code}`;
}

export function referrerOf(id: string): Candidates {
  return sql`select referrer_id as id from member where id = ${id}::uuid`;
}

export function friendsOf(id: string, afterSequence: number, limit: number): Candidates {
  return sql`
    select id from member
    where referrer_id = ${id}::uuid and sequence > ${afterSequence}::bigint
    order by sequence limit ${limit}::integer`;
}

const creditCounts = sql.join(
  CREDIT_STATES.map(
    (state) => sql`count(*) filter (where credit = ${sql.lit(state)}) as ${sql.ref(state)}`,
  ),
);

export function countFriends({ kysely }: Database, id: string) {
  return only<FriendCounts>(kysely)`
    select ${creditCounts} from member where referrer_id = ${id}::uuid
  `;
}

type NoteOf = { readonly memberId: string; readonly noteId: string; readonly actor: Actor };

const isOwn = ({ kind, id }: Actor): RawBuilder<boolean> =>
  sql`(author_kind = ${kind} and author_id is not distinct from ${id}::text)`;

const columnsFor = (actor: Actor) =>
  sql`id, author_name as author, ${isOwn(actor)} as is_own, body,
    ${isoTime(sql`written_at`)} as written_at, ${isoTime(sql`edited_at`)} as edited_at`;

const isOwnNote = ({ memberId, noteId, actor }: NoteOf): RawBuilder<boolean> =>
  sql`id = ${readUuid(noteId)}::uuid and member_id = ${readUuid(memberId)}::uuid
    and ${isOwn(actor)}`;

export function readNotes(
  { kysely }: Database,
  { memberId, actor }: { memberId: string; actor: Actor },
) {
  return all<Note>(kysely)`
    select ${columnsFor(actor)} from member_note where member_id = ${memberId}::uuid
    order by member_note.written_at, id
  `;
}

export async function addNote(
  { kysely }: Database,
  { memberId, actor, body }: { memberId: string; actor: Actor; body: string },
): Promise<Note> {
  const note = await first<Note>(kysely)`
    insert into member_note (member_id, author_kind, author_id, author_name, body)
    select id, ${actor.kind}, ${actor.id}::text, ${actor.name}, ${body.trim()} from member
    where id = ${readUuid(memberId)}::uuid for key share
    returning ${columnsFor(actor)}
  `;
  if (note === null) throw unknownMember();
  return note;
}

export async function editNote(
  { kysely }: Database,
  { body, ...note }: NoteOf & { readonly body: string },
): Promise<Note> {
  const edited = await first<Note>(kysely)`
    update member_note set body = ${body.trim()}, edited_at = clock_timestamp()
    where ${isOwnNote(note)} returning ${columnsFor(note.actor)}
  `;
  if (edited === null) throw noSuchNote();
  return edited;
}

export async function removeNote({ kysely }: Database, note: NoteOf): Promise<void> {
  const isDeleted = await some(kysely)`
    delete from member_note where ${isOwnNote(note)} returning id`;
  if (!isDeleted) throw noSuchNote();
}

function noSuchNote(): Problem {
  return new Problem('unknown_path', 'You have no such note here: it may have been deleted.');
}

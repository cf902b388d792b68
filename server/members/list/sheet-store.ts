import { type RawBuilder, sql } from 'kysely';
import { CREDIT_STATES } from '../../../contract/member-states.ts';
import type { FriendCounts, Note } from '../../../contract/operator/member-sheet.ts';
import type { Actor } from '../../access/actor.ts';
import type { Database } from '../../db/database.ts';
import { isoTime } from '../../db/iso-time.ts';
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

export async function countFriends({ kysely }: Database, id: string): Promise<FriendCounts> {
  const { rows } = await sql<FriendCounts>`
    select ${creditCounts} from member where referrer_id = ${id}::uuid
  `.execute(kysely);
  return rows[0] as FriendCounts;
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

export async function readNotes(
  { kysely }: Database,
  { memberId, actor }: { memberId: string; actor: Actor },
): Promise<Note[]> {
  const { rows } = await sql<Note>`
    select ${columnsFor(actor)} from member_note where member_id = ${memberId}::uuid
    order by member_note.written_at, id
  `.execute(kysely);
  return rows;
}

export async function addNote(
  { kysely }: Database,
  { memberId, actor, body }: { memberId: string; actor: Actor; body: string },
): Promise<Note> {
  const { rows } = await sql<Note>`
    insert into member_note (member_id, author_kind, author_id, author_name, body)
    select id, ${actor.kind}, ${actor.id}::text, ${actor.name}, ${body.trim()} from member
    where id = ${readUuid(memberId)}::uuid for key share
    returning ${columnsFor(actor)}
  `.execute(kysely);
  if (rows[0] === undefined) throw unknownMember();
  return rows[0];
}

export async function editNote(
  { kysely }: Database,
  { body, ...note }: NoteOf & { readonly body: string },
): Promise<Note> {
  const { rows } = await sql<Note>`
    update member_note set body = ${body.trim()}, edited_at = clock_timestamp()
    where ${isOwnNote(note)} returning ${columnsFor(note.actor)}
  `.execute(kysely);
  if (rows[0] === undefined) throw noSuchNote();
  return rows[0];
}

export async function removeNote({ kysely }: Database, note: NoteOf): Promise<void> {
  const { rows } = await sql`
    delete from member_note where ${isOwnNote(note)} returning id`.execute(kysely);
  if (rows.length === 0) throw noSuchNote();
}

function noSuchNote(): Problem {
  return new Problem('unknown_path', 'You have no such note here: it may have been deleted.');
}

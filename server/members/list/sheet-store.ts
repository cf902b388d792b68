/** What the sheet of one member shows beside the member, and the notes of operators. */
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Candidates } from './list-store.ts';

export function membersOf(ids: readonly string[]): Candidates {
  return sql`select unnest(${ids}::uuid[]) as id`;
}

export function referrerOf(id: string): Candidates {
  return sql`select referrer_id as id from member where id = ${id}::uuid`;
}

/** In order of joining, behind the member with that sequence. */
export function friendsOf(id: string, afterSequence: number, limit: number): Candidates {
  return sql`
    select id from member
    where referrer_id = ${id}::uuid and sequence > ${afterSequence}::bigint
    order by sequence limit ${limit}::integer`;
}

/** Null when there is no such member. */
export async function readSequence({ kysely }: Database, id: string): Promise<number | null> {
  const row = await kysely
    .selectFrom('member')
    .select('sequence')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.sequence ?? null;
}

export type FriendCounts = {
  readonly pending: number;
  readonly held: number;
  readonly given: number;
  readonly refused: number;
};

/** Of rows of members: how many have a credit in each state. */
export const creditCounts = sql`
  count(*) filter (where credit = 'pending') as pending,
  count(*) filter (where credit = 'held') as held,
  count(*) filter (where credit = 'given') as given,
  count(*) filter (where credit = 'refused') as refused`;

/** Friends in line by the state of their credit. */
export async function countFriends({ kysely }: Database, id: string): Promise<FriendCounts> {
  const { rows } = await sql<FriendCounts>`
    select ${creditCounts} from member where referrer_id = ${id}::uuid
  `.execute(kysely);
  return rows[0] ?? { pending: 0, held: 0, given: 0, refused: 0 };
}

export type Author = {
  readonly kind: string;
  /** Null for the operator token. */
  readonly id: string | null;
  readonly name: string;
};

export type NoteRow = {
  readonly id: string;
  readonly author_kind: string;
  readonly author_id: string | null;
  readonly author_name: string;
  readonly body: string;
  readonly written_at: Date;
  readonly edited_at: Date | null;
};

export async function readNotes({ kysely }: Database, memberId: string): Promise<NoteRow[]> {
  return await kysely
    .selectFrom('member_note')
    .select(['id', 'author_kind', 'author_id', 'author_name', 'body', 'written_at', 'edited_at'])
    .where('member_id', '=', memberId)
    .orderBy('written_at')
    .orderBy('id')
    .execute();
}

/** Null when the member has left. */
export async function insertNote(
  { kysely }: Database,
  { memberId, author, body }: { memberId: string; author: Author; body: string },
): Promise<NoteRow | null> {
  const { rows } = await sql<NoteRow>`
    insert into member_note (member_id, author_kind, author_id, author_name, body)
    select id, ${author.kind}, ${author.id}::text, ${author.name}, ${body} from member
    where id = ${memberId}::uuid for key share
    returning id, author_kind, author_id, author_name, body, written_at, edited_at
  `.execute(kysely);
  return rows[0] ?? null;
}

type OwnNote = { readonly memberId: string; readonly noteId: string; readonly author: Author };

/** Null when the author has no such note. */
export async function updateNote(
  { kysely }: Database,
  { memberId, noteId, author, body }: OwnNote & { body: string },
): Promise<NoteRow | null> {
  const { rows } = await sql<NoteRow>`
    update member_note set body = ${body}, edited_at = clock_timestamp()
    where id = ${noteId}::uuid and member_id = ${memberId}::uuid
      and author_kind = ${author.kind} and author_id is not distinct from ${author.id}::text
    returning id, author_kind, author_id, author_name, body, written_at, edited_at
  `.execute(kysely);
  return rows[0] ?? null;
}

/** False when the author has no such note. */
export async function deleteNote(
  { kysely }: Database,
  { memberId, noteId, author }: OwnNote,
): Promise<boolean> {
  const { rows } = await sql`
    delete from member_note
    where id = ${noteId}::uuid and member_id = ${memberId}::uuid
      and author_kind = ${author.kind} and author_id is not distinct from ${author.id}::text
    returning id
  `.execute(kysely);
  return rows.length > 0;
}

/** What operators note about a member. Everybody may read a note; its author may change it. */
import type { Note } from '../../../contract/operator/member-sheet.ts';
import type { Actor } from '../../access/actor.ts';
import type { Database } from '../../db/database.ts';
import { readMemberId as readUuid, unknownMember } from '../../line/member-id-rules.ts';
import { Problem } from '../../problem.ts';
import { deleteNote, insertNote, type NoteRow, updateNote } from './sheet-store.ts';

type NoteOf = { readonly memberId: string; readonly noteId: string; readonly actor: Actor };

/** Throws Problem unknown_member. */
export async function addNote(
  database: Database,
  { memberId, actor, body }: { memberId: string; actor: Actor; body: string },
): Promise<Note> {
  const id = readUuid(memberId);
  const row = id && (await insertNote(database, { memberId: id, actor, body: body.trim() }));
  if (!row) throw unknownMember();
  return viewNote(row);
}

/** Throws Problem unknown_path when the actor has no such note. */
export async function editNote(
  database: Database,
  { body, ...note }: NoteOf & { readonly body: string },
): Promise<Note> {
  const row = await updateNote(database, { ...readIds(note), body: body.trim() });
  if (row === null) throw noSuchNote();
  return viewNote(row);
}

/** Throws Problem unknown_path when the actor has no such note. */
export async function removeNote(database: Database, note: NoteOf): Promise<void> {
  if (!(await deleteNote(database, readIds(note)))) throw noSuchNote();
}

export function viewNote(row: NoteRow): Note {
  return {
    ...row,
    written_at: row.written_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
  };
}

function readIds({ memberId, noteId, actor }: NoteOf): NoteOf {
  const [member, note] = [readUuid(memberId), readUuid(noteId)];
  if (member === null || note === null) throw noSuchNote();
  return { memberId: member, noteId: note, actor };
}

function noSuchNote(): Problem {
  return new Problem('unknown_path', 'You have no such note here: it may have been deleted.');
}

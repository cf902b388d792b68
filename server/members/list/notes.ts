/** What operators note about a member. Everybody may read a note; its author may change it. */
import type { Note } from '../../../contract/operator/member-sheet.ts';
import type { Actor } from '../../access/actor.ts';
import type { Database } from '../../db/database.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import { Problem } from '../../problem.ts';
import { deleteNote, insertNote, type NoteRow, updateNote } from './sheet-store.ts';

type NoteOf = { readonly memberId: string; readonly noteId: string; readonly actor: Actor };

/** Throws Problem unknown_member. */
export async function addNote(
  database: Database,
  { memberId, actor, body }: { memberId: string; actor: Actor; body: string },
): Promise<Note> {
  const id = readMemberId(memberId);
  const row =
    id && (await insertNote(database, { memberId: id, author: actor, body: body.trim() }));
  if (!row) throw unknownMember();
  return viewNote(row, actor);
}

/** Throws Problem unknown_path when the actor has no such note. */
export async function editNote(
  database: Database,
  { memberId, noteId, actor, body }: NoteOf & { readonly body: string },
): Promise<Note> {
  const own = ownNote({ memberId, noteId, actor });
  const row = own && (await updateNote(database, { ...own, body: body.trim() }));
  if (!row) throw noSuchNote();
  return viewNote(row, actor);
}

/** Throws Problem unknown_path when the actor has no such note. */
export async function removeNote(database: Database, note: NoteOf): Promise<void> {
  const own = ownNote(note);
  if (own === null || !(await deleteNote(database, own))) throw noSuchNote();
}

export function viewNote(row: NoteRow, actor: Actor): Note {
  return {
    id: row.id,
    author: row.author_name,
    is_own: row.author_kind === actor.kind && row.author_id === actor.id,
    body: row.body,
    written_at: row.written_at.toISOString(),
    edited_at: row.edited_at?.toISOString() ?? null,
  };
}

/** Ids of notes are UUIDs, as those of members. */
function ownNote({ memberId, noteId, actor }: NoteOf) {
  const [member, note] = [readMemberId(memberId), readMemberId(noteId)];
  return member && note ? { memberId: member, noteId: note, author: actor } : null;
}

function noSuchNote(): Problem {
  return new Problem('unknown_path', 'You have no such note here: it may have been deleted.');
}

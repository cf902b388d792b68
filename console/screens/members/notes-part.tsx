import type { Note } from '../../../contract/operator/member-sheet.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { fillPath } from '../../../contract/paths.ts';
import { post, put, remove } from '../../api/queries.ts';
import { ActionButton } from '../../parts/changes.tsx';
import { plainForm } from '../../parts/plain-form.tsx';
import { RelativeTime, Section } from '../../ui/facts.tsx';
import { formatMoment } from '../../ui/formats.ts';

const LONGEST_NOTE = 2000;

export function NotesPart({ memberId, notes }: { memberId: string; notes: readonly Note[] }) {
  const write = writeNote('Add a note', '', (body) =>
    post(fillPath(operatorPaths.notes, memberId), { body }),
  );
  return (
    <Section
      title="Notes"
      note="Part of the data that the member may ask for."
      actions={<ActionButton label="Add a note" dialog={write} />}
    >
      {notes.length === 0 ? (
        <p className="quiet">None.</p>
      ) : (
        <ul className="note-list">
          {notes.map((note) => (
            <NoteItem key={note.id} memberId={memberId} note={note} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function NoteItem({ memberId, note }: { memberId: string; note: Note }) {
  const { id, author, body, written_at, edited_at, is_own: isOffered } = note;
  const path = fillPath(operatorPaths.note, memberId, id);
  const title = `Edit the note of ${formatMoment(written_at)}`;
  const removal = plainForm({
    title: 'Delete this note?',
    confirmLabel: 'Delete',
    isDanger: true,
    children: <p className="note-body">{body}</p>,
    make: () => remove(path),
  });
  const edit = writeNote(title, body, (text) => put(path, { body: text }));
  return (
    <li>
      <p className="note-head">
        <span>{author}</span>
        <RelativeTime at={edited_at ?? written_at} />
        {edited_at && <span>edited</span>}
      </p>
      <p className="note-body">{body}</p>
      <p className="actions">
        <ActionButton label="Edit" variant="quiet" isOffered={isOffered} dialog={edit} />
        <ActionButton label="Delete" variant="quiet" isOffered={isOffered} dialog={removal} />
      </p>
    </li>
  );
}

const writeNote = (title: string, value: string, save: (body: string) => Promise<unknown>) =>
  plainForm({
    title,
    confirmLabel: 'Save',
    fields: {
      body: { label: 'Note', kind: 'area', value, maxLength: LONGEST_NOTE, isFirst: true },
    },
    missing: ({ body }) => ({ body: body.trim() === '' ? 'Please write the note.' : undefined }),
    make: ({ body }) => save(body.trim()),
  });

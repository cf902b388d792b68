import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Note } from '../../../contract/operator/member-sheet.ts';
import { addNote, deleteNote, editNote, memberSheetQuery } from '../../api/members.ts';
import { messageOf } from '../../api/request.ts';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/buttons.tsx';
import { RelativeTime } from '../../ui/facts.tsx';
import { Failure, Form, TextArea } from '../../ui/fields.tsx';
import { Section } from '../../ui/frame.tsx';
import { forgetKept, useFormName, useKept } from '../../ui/kept-state.ts';

const LONGEST_NOTE = 2000;

export function NotesPart({ memberId, notes }: { memberId: string; notes: readonly Note[] }) {
  const queryClient = useQueryClient();
  const mayWrite = useMayWrite();
  const change = useMutation({
    mutationFn: (make: () => Promise<unknown>) => make(),
    // After a refusal too: somebody else may have been faster.
    onSettled: () => queryClient.invalidateQueries(memberSheetQuery(memberId)),
  });
  const isBusy = change.isPending;
  return (
    <Section title="Notes" note="Part of the data that the member may ask for.">
      {notes.length > 0 && (
        <ul className="note-list">
          {notes.map((note) => (
            <li key={note.id}>
              <NoteItem
                note={note}
                mayChange={mayWrite && note.is_own}
                isBusy={isBusy}
                onSave={(body) => change.mutateAsync(() => editNote(memberId, note.id, body))}
                onDelete={() => change.mutate(() => deleteNote(memberId, note.id))}
              />
            </li>
          ))}
        </ul>
      )}
      {mayWrite && (
        <NoteForm
          label="New note"
          submitLabel="Add note"
          isBusy={isBusy}
          onSubmit={(body) => change.mutateAsync(() => addNote(memberId, body))}
        />
      )}
      {!mayWrite && notes.length === 0 && <p className="quiet">None.</p>}
      <Failure text={messageOf(change.error)} />
    </Section>
  );
}

type NoteItemProps = {
  readonly note: Note;
  readonly mayChange: boolean;
  readonly isBusy: boolean;
  readonly onSave: (body: string) => Promise<unknown>;
  readonly onDelete: () => void;
};

function NoteItem({ note, mayChange, isBusy, onSave, onDelete }: NoteItemProps) {
  const { author, body, written_at, edited_at } = note;
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      <p className="note-head">
        <span>{author}</span>
        <RelativeTime at={edited_at ?? written_at} />
        {edited_at && <span>edited</span>}
      </p>
      {isEditing ? (
        <NoteForm
          label="Note"
          submitLabel="Save"
          note={note}
          isBusy={isBusy}
          onSubmit={async (text) => {
            await onSave(text);
            setEditing(false);
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <>
          <p className="note-body">{body}</p>
          {mayChange && (
            <p className="actions">
              <Button variant="quiet" onClick={() => setEditing(true)}>
                Edit
              </Button>
              <Button variant="quiet" disabled={isBusy} onClick={onDelete}>
                Delete
              </Button>
            </p>
          )}
        </>
      )}
    </>
  );
}

type NoteFormProps = {
  readonly label: string;
  readonly submitLabel: string;
  readonly note?: Pick<Note, 'id' | 'body'>;
  readonly isBusy: boolean;
  /** Rejects when the note was refused; the text then stays. */
  readonly onSubmit: (body: string) => Promise<unknown>;
  readonly onCancel?: () => void;
};

function NoteForm({
  label,
  submitLabel,
  note = { id: 'new', body: '' },
  isBusy,
  onSubmit,
  onCancel,
}: NoteFormProps) {
  const name = useFormName(`note ${note.id}`);
  const [text, setText] = useKept(name, note.body);
  async function submit(): Promise<void> {
    if (text.trim() === '' || isBusy) return;
    try {
      await onSubmit(text.trim());
      setText('');
      forgetKept(name);
    } catch {
      // NotesPart shows the error below the notes.
    }
  }
  function giveUp(): void {
    forgetKept(name);
    onCancel?.();
  }
  return (
    <Form className="note-form" onSubmit={() => void submit()}>
      <TextArea label={label} rows={2} maxLength={LONGEST_NOTE} value={text} onChange={setText} />
      <p className="actions">
        {onCancel && (
          <Button variant="quiet" onClick={giveUp}>
            Cancel
          </Button>
        )}
        <Button type="submit" isBusy={isBusy} disabled={text.trim() === ''}>
          {submitLabel}
        </Button>
      </p>
    </Form>
  );
}

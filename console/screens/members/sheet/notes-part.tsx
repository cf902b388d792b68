import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Note } from '../../../../contract/operator/member-sheet.ts';
import { addNote, deleteNote, editNote, memberSheetQuery } from '../../../api/members.ts';
import { messageOf } from '../../../api/request-error.ts';
import { useMayWrite } from '../../../parts/signed-in.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextArea } from '../../../ui/controls/text-field.tsx';
import { Section } from '../../../ui/frame/section.tsx';
import { RelativeTime } from '../../../ui/text/relative-time.tsx';

const LONGEST_NOTE = 2000;

type Change =
  | { readonly kind: 'add'; readonly body: string }
  | { readonly kind: 'edit'; readonly noteId: string; readonly body: string }
  | { readonly kind: 'delete'; readonly noteId: string };

/** What operators wrote about a member. Everybody reads a note; its author changes it. */
export function NotesPart({ memberId, notes }: { memberId: string; notes: readonly Note[] }) {
  const queryClient = useQueryClient();
  const mayWrite = useMayWrite();
  const change = useMutation({
    mutationFn: async (of: Change): Promise<unknown> => {
      if (of.kind === 'add') return await addNote(memberId, of.body);
      if (of.kind === 'edit') return await editNote(memberId, of.noteId, of.body);
      return await deleteNote(memberId, of.noteId);
    },
    // Also after a refusal: somebody else may have been faster.
    onSettled: () => queryClient.invalidateQueries(memberSheetQuery(memberId)),
  });
  return (
    <Section title="Notes" note="Part of the data that the member may ask for.">
      {notes.length > 0 && (
        <ul className="note-list">
          {notes.map((note) => (
            <li key={note.id}>
              <NoteItem
                note={note}
                mayChange={mayWrite && note.is_own}
                isBusy={change.isPending}
                onChange={change.mutateAsync}
              />
            </li>
          ))}
        </ul>
      )}
      {mayWrite && (
        <NoteForm
          label="New note"
          submitLabel="Add note"
          isBusy={change.isPending}
          onSubmit={(body) => change.mutateAsync({ kind: 'add', body })}
        />
      )}
      {!mayWrite && notes.length === 0 && <p className="quiet">None.</p>}
      <p className="field-error" role="alert">
        {change.isError && messageOf(change.error)}
      </p>
    </Section>
  );
}

function NoteItem({
  note: { id, author, body, written_at, edited_at },
  mayChange,
  isBusy,
  onChange,
}: {
  note: Note;
  mayChange: boolean;
  isBusy: boolean;
  onChange: (change: Change) => Promise<unknown>;
}) {
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
          before={body}
          isBusy={isBusy}
          onSubmit={async (text) => {
            await onChange({ kind: 'edit', noteId: id, body: text });
            setEditing(false);
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <>
          <p className="note-body">{body}</p>
          {mayChange && (
            <p className="note-actions">
              <Button variant="quiet" onClick={() => setEditing(true)}>
                Edit
              </Button>
              <Button
                variant="quiet"
                disabled={isBusy}
                onClick={() => onChange({ kind: 'delete', noteId: id }).catch(() => {})}
              >
                Delete
              </Button>
            </p>
          )}
        </>
      )}
    </>
  );
}

function NoteForm({
  label,
  submitLabel,
  before = '',
  isBusy,
  onSubmit,
  onCancel,
}: {
  label: string;
  submitLabel: string;
  before?: string;
  isBusy: boolean;
  /** Rejects when the note was refused; the text then stays. */
  onSubmit: (body: string) => Promise<unknown>;
  onCancel?: () => void;
}) {
  const formId = useId();
  const [text, setText] = useState(before);
  async function submit(): Promise<void> {
    if (text.trim() === '' || isBusy) return;
    try {
      await onSubmit(text.trim());
      setText('');
    } catch {
      // Shown below the notes; the text stays.
    }
  }
  return (
    <form
      id={formId}
      className="note-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextArea
        label={label}
        rows={2}
        maxLength={LONGEST_NOTE}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
        }}
      />
      <p className="note-actions">
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" isBusy={isBusy} disabled={text.trim() === ''}>
          {submitLabel}
        </Button>
      </p>
    </form>
  );
}

import { type ReactNode, useState } from 'react';
import { TextArea } from '../controls/text-field.tsx';
import { ErrorFace } from '../data/faces.tsx';
import { Skeleton } from '../data/skeleton.tsx';
import { FormDialog } from './form-dialog.tsx';

/** What would change, in whole sentences. */
export type Preview =
  /** It is not yet known what is wanted. */
  | { readonly state: 'waiting'; readonly hint: string }
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string; readonly onRetry: () => void }
  | { readonly state: 'ready'; readonly sentences: readonly string[] };

type ConfirmDialogProps = {
  readonly title: string;
  /** Above the preview: what the change is made with. */
  readonly children?: ReactNode;
  readonly preview: Preview;
  /** Until when it can be undone, or that it cannot. */
  readonly undoNote: string;
  readonly confirmLabel: string;
  readonly isDanger?: boolean;
  /** Stands there to begin with, selected. */
  readonly initialReason?: string | undefined;
  readonly isBusy: boolean;
  /** Why it was refused; empty when it was not. */
  readonly failure: string;
  /** `reason`: trimmed, not empty. */
  readonly onConfirm: (reason: string) => void;
  readonly onClose: () => void;
};

/** No change without its consequences in view, and a reason. */
export function ConfirmDialog({
  title,
  children,
  preview,
  undoNote,
  confirmLabel,
  isDanger = false,
  initialReason = '',
  isBusy,
  failure,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [reason, setReason] = useState(initialReason);
  const [isMissing, setMissing] = useState(false);

  function submit(): void {
    const text = reason.trim();
    setMissing(text === '');
    if (text !== '' && preview.state === 'ready' && !isBusy) onConfirm(text);
  }

  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      isDanger={isDanger}
      isDisabled={preview.state !== 'ready'}
      isBusy={isBusy}
      failure={failure}
      note={undoNote}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      {children}
      <PreviewSentences preview={preview} />
      <TextArea
        label="Reason"
        hint="Kept in the audit log. Name no addresses in it."
        error={isMissing ? 'Please write why.' : undefined}
        data-autofocus=""
        maxLength={500}
        rows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function PreviewSentences({ preview }: { preview: Preview }) {
  if (preview.state === 'failed')
    return <ErrorFace message={preview.message} onRetry={preview.onRetry} />;
  return (
    <div className="preview" aria-busy={preview.state === 'loading'}>
      <h3 className="label">What changes</h3>
      {preview.state === 'waiting' && <p className="quiet">{preview.hint}</p>}
      {preview.state === 'loading' && <Skeleton lines={2} label="Working out what changes" />}
      {preview.state === 'ready' && (
        <ul>
          {preview.sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

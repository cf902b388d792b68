import { type ReactNode, useId, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { TextArea } from '../controls/text-field.tsx';
import { ErrorFace } from '../data/faces.tsx';
import { Skeleton } from '../data/skeleton.tsx';
import { Dialog } from './dialog.tsx';

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
  isBusy,
  failure,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const formId = useId();
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);

  function submit(): void {
    const text = reason.trim();
    setMissing(text === '');
    if (text !== '' && preview.state === 'ready' && !isBusy) onConfirm(text);
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <p className="dialog-note">{undoNote}</p>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant={isDanger ? 'danger' : 'primary'}
            isBusy={isBusy}
            disabled={preview.state !== 'ready'}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="confirm"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
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
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
          }}
        />
        <p className="field-error" role="alert">
          {failure}
        </p>
      </form>
    </Dialog>
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

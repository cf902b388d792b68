import X from 'lucide-react/icons/x';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from './buttons.tsx';
import { CodeText } from './facts.tsx';
import { Form, type FormProps, TextArea } from './fields.tsx';
import { forgetKept, useFormName, useKept } from './kept-state.ts';
import { ErrorState, Skeleton } from './states.tsx';

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly footer?: ReactNode;
  readonly isWide?: boolean;
  readonly children: ReactNode;
};

/**
 * The browser's own modal dialog: it holds the focus, makes the rest inert and lies above all
 * (docs/decisions/0063). The focus goes to `[data-autofocus]`, or to the heading.
 */
export function Dialog({ title, onClose, footer, isWide = false, children }: DialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const isPressedOutside = useRef(false);
  const isShown = useRef(false);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    isShown.current = true;
    const first = element?.querySelector<HTMLElement>('[data-autofocus]');
    (first ?? element?.querySelector('h2'))?.focus();
    return () => {
      // While it is hidden, it is not closed by a person.
      isShown.current = false;
      element?.close();
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it.
    <dialog
      ref={dialog}
      className={`dialog ${isWide ? 'dialog-wide' : ''}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Browsers close on a second Escape regardless.
      onClose={(event) => isShown.current && !event.currentTarget.open && onClose()}
      // A press that began inside and ends outside selects text.
      onMouseDown={({ target }) => {
        isPressedOutside.current = target === dialog.current;
      }}
      onClick={({ target }) => isPressedOutside.current && target === dialog.current && onClose()}
    >
      <div className="dialog-panel">
        <div className="layer-head">
          <h2 id={titleId} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
            <X aria-hidden="true" size={18} />
          </button>
        </div>
        <div className="dialog-body">{children}</div>
        {footer && <div className="dialog-foot">{footer}</div>}
      </div>
    </dialog>
  );
}

type SecretDialogProps = {
  readonly title: string;
  /** Names the secret beside the button that copies it. */
  readonly label: string;
  readonly value: string;
  readonly doneLabel: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** Shows a secret once. */
export function SecretDialog(props: SecretDialogProps) {
  const { title, label, value, doneLabel, onClose, children } = props;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {doneLabel}
        </Button>
      }
    >
      <p>{children}</p>
      <CodeText label={label} value={value} />
    </Dialog>
  );
}

type FormDialogProps = Omit<FormProps, 'id' | 'className'> & {
  readonly title: string;
  readonly submitLabel: string;
  /** Label of the button that closes it and drops what was written. */
  readonly cancelLabel?: string | undefined;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  readonly isBusy?: boolean;
  readonly note?: string;
  readonly onClose: () => void;
};

export function FormDialog({
  title,
  submitLabel,
  cancelLabel = 'Cancel',
  isDanger = false,
  isDisabled = false,
  isBusy = false,
  note,
  onClose,
  children,
  ...form
}: FormDialogProps) {
  const id = useId();
  const name = useFormName(title);
  function giveUp(): void {
    forgetKept(name);
    onClose();
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          {note !== undefined && <p className="dialog-note">{note}</p>}
          <Button variant="quiet" onClick={giveUp}>
            {cancelLabel}
          </Button>
          <Button
            type="submit"
            form={id}
            variant={isDanger ? 'danger' : 'primary'}
            isBusy={isBusy}
            disabled={isDisabled}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <Form id={id} className="stack" {...form}>
        {children}
      </Form>
    </Dialog>
  );
}

export type Preview =
  | { readonly state: 'waiting'; readonly hint: string }
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string; readonly onRetry: () => void }
  | { readonly state: 'refused'; readonly message: string }
  | {
      readonly state: 'ready';
      readonly sentences: readonly string[];
      readonly drawing?: ReactNode;
    };

export type ConfirmDialogProps = Pick<
  FormDialogProps,
  'title' | 'cancelLabel' | 'isDanger' | 'isBusy' | 'failure' | 'onClose'
> & {
  readonly children?: ReactNode;
  readonly preview: Preview;
  readonly undoNote: string;
  readonly confirmLabel: string;
  readonly initialReason?: string | undefined;
  /** `reason`: trimmed, not empty. Once it is done, what was written is no longer kept. */
  readonly onConfirm: (reason: string) => Promise<unknown> | undefined;
};

export function ConfirmDialog({
  children,
  preview,
  undoNote,
  confirmLabel,
  initialReason = '',
  onConfirm,
  ...dialog
}: ConfirmDialogProps) {
  const name = useFormName(dialog.title);
  const [reason, setReason] = useKept(`${name} reason`, initialReason);
  const [isMissing, setMissing] = useState(false);

  function submit(): void {
    const text = reason.trim();
    setMissing(text === '');
    if (text === '' || preview.state !== 'ready' || dialog.isBusy) return;
    onConfirm(text)?.then(
      () => forgetKept(name),
      () => {},
    );
  }

  return (
    <FormDialog
      {...dialog}
      submitLabel={confirmLabel}
      isDisabled={preview.state !== 'ready'}
      note={undoNote}
      onSubmit={submit}
    >
      {children}
      <PreviewSentences preview={preview} />
      <ReasonField
        data-autofocus=""
        error={isMissing ? 'Please write why.' : undefined}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}

export function ReasonField(field: {
  'data-autofocus'?: '';
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <TextArea
      label="Reason"
      hint="Kept in the audit log. Name no addresses in it."
      maxLength={500}
      rows={2}
      {...field}
    />
  );
}

function PreviewSentences({ preview }: { preview: Preview }) {
  if (preview.state === 'failed')
    return <ErrorState message={preview.message} onRetry={preview.onRetry} />;
  return (
    <div className="preview" aria-busy={preview.state === 'loading'}>
      <h3 className="label">What changes</h3>
      {preview.state === 'waiting' && <p className="quiet">{preview.hint}</p>}
      {preview.state === 'refused' && (
        <p className="field-error" role="status">
          {preview.message}
        </p>
      )}
      {preview.state === 'loading' && <Skeleton lines={2} label="Working out what changes" />}
      {preview.state === 'ready' && (
        <>
          {preview.drawing}
          <ul>
            {preview.sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

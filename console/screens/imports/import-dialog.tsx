import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MadeChange } from '../../../contract/operator/changes.ts';
import { importMembers, importPreviewQuery } from '../../api/imports.ts';
import { messageOf } from '../../api/request-error.ts';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { ConfirmDialog } from '../../ui/layers/confirm-dialog.tsx';

type ImportDialogProps = {
  readonly importId: string;
  readonly onMade: (made: MadeChange) => void;
  readonly onClose: () => void;
};

/** The operator's statements, what changes, and the reason. */
export function ImportDialog({ importId, onMade, onClose }: ImportDialogProps) {
  const [mayMail, setMayMail] = useState(false);
  const [confirmed, setConfirmed] = useState(false);
  const [isWelcomed, setWelcomed] = useState(false);
  const [isUnstated, setUnstated] = useState(false);
  const input = {
    import_id: importId,
    may_mail: true,
    confirmed,
    mail: isWelcomed ? 'welcome' : 'none',
  } as const;
  const preview = useQuery(importPreviewQuery(input));
  const change = useMutation({
    mutationFn: (reason: string) => importMembers(input, reason),
    onSuccess: onMade,
  });
  const failure = change.isError ? messageOf(change.error) : '';
  return (
    <ConfirmDialog
      title="Import members"
      preview={
        preview.data
          ? { state: 'ready', sentences: preview.data.sentences }
          : preview.isError
            ? {
                state: 'failed',
                message: messageOf(preview.error),
                onRetry: () => preview.refetch(),
              }
            : { state: 'loading' }
      }
      undoNote="Can be undone for 24 hours."
      confirmLabel="Import"
      isBusy={change.isPending}
      failure={isUnstated && !mayMail ? 'State first that you may write to them.' : failure}
      onConfirm={(reason) => {
        setUnstated(true);
        if (mayMail) change.mutate(reason);
      }}
      onClose={onClose}
    >
      <Checkbox label="I may write to these people." checked={mayMail} onChange={setMayMail} />
      <Checkbox
        label="Their addresses were proved to be theirs."
        checked={confirmed}
        onChange={setConfirmed}
      />
      <Checkbox
        label="Send each of them a mail with their status link."
        checked={isWelcomed}
        onChange={setWelcomed}
      />
    </ConfirmDialog>
  );
}

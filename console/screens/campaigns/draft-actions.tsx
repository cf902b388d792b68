import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import type { TestMail } from '../../../contract/operator/mails.ts';
import { campaignsKey, deleteCampaign, testCampaign } from '../../api/campaigns.ts';
import { messageOf } from '../../api/request-error.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Section } from '../../ui/frame/section.tsx';

type DraftActionsProps = {
  readonly campaign: Campaign;
  /** Whether the screen shows unsaved edits. */
  readonly isDirty: boolean;
  readonly onDeleted: () => void;
};

/** Sends a saved draft, as a test or to the line, or deletes it. */
export function DraftActions({ campaign, isDirty, onDeleted }: DraftActionsProps) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [isSending, setSending] = useState(false);
  const isReady = !isDirty && campaign.problems.length === 0;
  const testing = useMutation({ mutationFn: () => testCampaign(campaign.campaign, email) });
  const deleting = useMutation({
    mutationFn: () => deleteCampaign(campaign.campaign),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: campaignsKey });
      onDeleted();
    },
  });

  return (
    <Section
      title="Send"
      note={isDirty ? 'Save it first.' : undefined}
      actions={
        <>
          <Button variant="quiet" isBusy={deleting.isPending} onClick={() => deleting.mutate()}>
            Delete draft
          </Button>
          <Button variant="primary" disabled={!isReady} onClick={() => setSending(true)}>
            Send to the line
          </Button>
        </>
      }
    >
      <form
        className="campaign-test"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          testing.mutate();
        }}
      >
        <TextField
          label="Test mail to"
          type="email"
          autoComplete="email"
          value={email}
          error={testing.isError ? messageOf(testing.error) : undefined}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" disabled={!isReady || email === ''} isBusy={testing.isPending}>
          Send test
        </Button>
      </form>
      <p role="status" className="quiet">
        {testing.data ? describeTest(testing.data) : ''}
        {deleting.isError ? messageOf(deleting.error) : ''}
      </p>
      {isSending && (
        <ChangeDialog
          title="Send to the line"
          want={{
            kind: 'send-campaign',
            input: { campaign: campaign.campaign, revision: campaign.revision },
          }}
          undoNote="A mail cannot be called back."
          confirmLabel="Send"
          onClose={() => setSending(false)}
        />
      )}
    </Section>
  );
}

function describeTest({ outcome, answer, file, cause, advice }: TestMail): string {
  if (outcome === 'sent') return `Sent. The mail server answered: ${answer}`;
  if (outcome === 'kept') return `No mail server is set: the mail is kept in ${file}.`;
  return ['Not sent:', `${cause}.`, answer, advice].filter(Boolean).join(' ');
}

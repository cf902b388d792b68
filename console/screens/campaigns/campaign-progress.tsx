import { useState } from 'react';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/controls/button.tsx';
import { KeyValues } from '../../ui/data/key-values.tsx';
import { Stat, StatRow } from '../../ui/data/stat.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { formatCount } from '../../ui/text/numbers.ts';
import { formatMoment } from '../../ui/text/times.ts';
import { describeRecipients } from './draft-rules.ts';
import { MailPreview } from './mail-preview.tsx';

/** What became of the mails so far. Of a draft, for those who may not change it, what it says. */
export function CampaignProgress({ campaign }: { campaign: Campaign }) {
  const mayWrite = useMayWrite();
  const [isCancelling, setCancelling] = useState(false);
  const { counts, state } = campaign;
  return (
    <>
      {state !== 'draft' && <MailCounts campaign={campaign} />}
      {state === 'sending' && (
        <progress
          className="progress progress-charged campaign-bar"
          aria-label="Mails that have ended"
          max={Math.max(1, counts.recipients)}
          value={counts.recipients - counts.waiting}
        />
      )}
      <Section
        title="Campaign"
        actions={
          state === 'sending' &&
          mayWrite && (
            <Button variant="danger" onClick={() => setCancelling(true)}>
              Cancel campaign
            </Button>
          )
        }
      >
        <KeyValues
          entries={[
            ['Subject', campaign.subject],
            ['Recipients', describeRecipients(campaign.filter)],
            ['Began', campaign.started_at && formatMoment(campaign.started_at)],
            ['Ended', campaign.ended_at && formatMoment(campaign.ended_at)],
          ]}
        />
      </Section>
      {campaign.problems.length === 0 && <MailPreview campaign={campaign} />}
      {isCancelling && (
        <ChangeDialog
          title="Cancel campaign"
          want={{ kind: 'cancel-campaign', input: { campaign: campaign.campaign } }}
          undoNote="It cannot be sent again."
          confirmLabel="Cancel campaign"
          isDanger
          onClose={() => setCancelling(false)}
        />
      )}
    </>
  );
}

function MailCounts({ campaign: { counts, state, is_counted } }: { campaign: Campaign }) {
  return (
    <StatRow label="Mails">
      <Stat label="Sent" value={formatCount(counts.sent)} isCharged />
      <Stat
        label="Recipients"
        value={formatCount(counts.recipients)}
        note={is_counted ? undefined : 'Still counting'}
      />
      {state === 'cancelled' ? (
        <Stat label="Cancelled" value={formatCount(counts.cancelled)} />
      ) : (
        <Stat label="Waiting" value={formatCount(counts.waiting)} />
      )}
      <Stat label="Failed" value={formatCount(counts.failed)} />
      <Stat label="Suppressed" value={formatCount(counts.suppressed)} />
      <Stat label="Left the line" value={formatCount(counts.departed)} />
    </StatRow>
  );
}

import { type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import { ActionButton, useMayWrite } from '../../parts/changes.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { QueryContent, QueryList, Screen } from '../../parts/screen.tsx';
import { StatePill, type States, stateColumn } from '../../parts/state-pills.tsx';
import { type ListState, useListState } from '../../routing/location.ts';
import { Button } from '../../ui/buttons.tsx';
import { EmptyState, FactsSection, Stat, StatRow } from '../../ui/facts.tsx';
import { formatCount, formatMoment } from '../../ui/formats.ts';
import { type Column, timeColumn } from '../../ui/table.tsx';
import { campaignQuery, campaignsQuery, DraftEditor } from './draft-editor.tsx';
import { describeRecipients } from './draft-rules.ts';
import { MailPreview } from './mail-preview.tsx';

const NEW = 'new';
const CAMPAIGNS: States<Campaign['state']> = {
  draft: ['Draft', 'edge'],
  sending: ['Sending', 'charged'],
  sent: ['Done', 'plain'],
  cancelled: ['Cancelled', 'plain'],
};

const columns: readonly Column<Campaign>[] = [
  { header: 'Subject', cell: ({ title }) => title || 'Without a subject' },
  stateColumn(CAMPAIGNS),
  {
    header: 'Sent',
    align: 'end',
    isNarrow: true,
    cell: ({ state, counts }) =>
      state !== 'draft' && `${formatCount(counts.sent)} of ${formatCount(counts.recipients)}`,
  },
  timeColumn(
    'Since',
    (campaign) => campaign.ended_at ?? campaign.started_at ?? campaign.created_at,
    { isMinor: true },
  ),
];

export function CampaignsScreen() {
  const list = useListState();
  const open = list.get('open');
  const [renamed, setRenamed] = useState({ key: '', open: '' });
  if (open === '') return <CampaignList list={list} />;
  // Whoever types goes on in the same editor when the draft gets a number.
  const key = open === renamed.open ? renamed.key : open;
  function goOn(campaign: number): void {
    setRenamed({ key, open: String(campaign) });
    list.set({ open: String(campaign) });
  }
  return <OpenCampaign key={key} open={open} onNumber={goOn} onBack={list.close} />;
}

function CampaignList({ list }: { list: ListState }) {
  const mayWrite = useMayWrite();
  const query = useInfiniteQuery(campaignsQuery);
  return (
    <Screen
      title="Campaigns"
      note="Mails to a part of the line."
      actions={
        mayWrite && (
          <Button
            variant="primary"
            icon={<Plus aria-hidden="true" size={16} />}
            onClick={() => list.set({ open: NEW }, { isStep: true })}
          >
            New campaign
          </Button>
        )
      }
    >
      <QueryList
        query={query}
        list={list}
        label="Campaigns"
        columns={columns}
        keyOf={({ campaign }) => String(campaign)}
        emptyTitle="No campaigns yet"
        empty="Write a mail, choose who gets it, and look at it before it leaves."
      />
    </Screen>
  );
}

type OpenCampaignProps = {
  readonly open: string;
  readonly onNumber: (campaign: number) => void;
  readonly onBack: () => void;
};

function OpenCampaign({ open, onNumber, onBack }: OpenCampaignProps) {
  const isNew = open === NEW;
  const saved = useQuery({ ...campaignQuery(Number(open)), enabled: !isNew });
  const created = useQuery({ queryKey: [NEW], queryFn: () => null, initialData: null });
  const query: UseQueryResult<Campaign | null> = isNew ? created : saved;
  const mayWrite = useMayWrite();
  const campaign = query.data;
  return (
    <Screen
      title={campaign?.title || (isNew ? 'New campaign' : `Campaign ${open}`)}
      note={
        campaign ? (
          <StatePill states={CAMPAIGNS} state={campaign.state} />
        ) : (
          isNew && 'A draft: nothing is sent until you say so.'
        )
      }
      actions={<Button onClick={onBack}>All campaigns</Button>}
    >
      <QueryContent query={query} lines={8}>
        {(shown) => {
          if (mayWrite && (shown === null || shown.state === 'draft'))
            return <DraftEditor saved={shown} onNumber={onNumber} onDeleted={onBack} />;
          if (shown !== null) return <CampaignProgress campaign={shown} />;
          return (
            <EmptyState title="For owners only">
              A viewer reads campaigns and writes none.
            </EmptyState>
          );
        }}
      </QueryContent>
    </Screen>
  );
}

function CampaignProgress({ campaign }: { campaign: Campaign }) {
  const { counts, state, started_at, ended_at } = campaign;
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
      <FactsSection
        title="Campaign"
        actions={
          <ActionButton
            variant="danger"
            isOffered={state === 'sending'}
            dialog={changeForm({
              title: 'Cancel campaign',
              want: { kind: 'cancel-campaign', input: { campaign: campaign.campaign } },
              undoNote: 'It cannot be sent again.',
              cancelLabel: 'Go on sending',
              isDanger: true,
            })}
          />
        }
        entries={{
          Subject: campaign.subject,
          Recipients: describeRecipients(campaign.filter),
          Began: started_at && formatMoment(started_at),
          Ended: ended_at && formatMoment(ended_at),
        }}
      />
      {campaign.problems.length === 0 && <MailPreview campaign={campaign} />}
    </>
  );
}

function MailCounts({ campaign: { counts, state, is_counted } }: { campaign: Campaign }) {
  return (
    <StatRow label="Mails">
      <Stat label="Sent" value={formatCount(counts.sent)} isCharged />
      {counts.kept > 0 && <Stat label="Kept, not sent" value={formatCount(counts.kept)} />}
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

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import { campaignQuery, campaignsQuery } from '../../api/notifications.ts';
import { ChangeButton } from '../../parts/changes.tsx';
import { QueryContent, QueryList } from '../../parts/query-states.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { StatePill, type States } from '../../parts/state-pills.tsx';
import { type ListState, useListState } from '../../routing/location.ts';
import { Button } from '../../ui/buttons.tsx';
import { type Column, timeColumn } from '../../ui/columns.tsx';
import { KeyValues, Stat, StatRow } from '../../ui/facts.tsx';
import { formatCount, formatMoment } from '../../ui/formats.ts';
import { Section } from '../../ui/frame.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DraftEditor } from './draft-editor.tsx';
import { describeRecipients } from './draft-rules.ts';
import { MailPreview } from './mail-preview.tsx';

const NEW = 'new';

const columns: readonly Column<Campaign>[] = [
  { header: 'Subject', cell: ({ subject }) => subject || 'Without a subject' },
  {
    header: 'State',
    isNarrow: true,
    cell: ({ state }) => <StatePill states={CAMPAIGNS} state={state} />,
  },
  {
    header: 'Sent',
    align: 'end',
    isNarrow: true,
    cell: ({ state, counts }) =>
      state !== 'draft' && `${formatCount(counts.sent)} of ${formatCount(counts.recipients)}`,
  },
  timeColumn('Since', (one) => one.ended_at ?? one.started_at ?? one.created_at, { isMinor: true }),
];

export function CampaignsScreen() {
  const list = useListState();
  const open = list.get('open');
  if (open === '') return <CampaignList list={list} />;
  if (open !== NEW) return <SavedCampaign key={open} number={Number(open)} onBack={list.close} />;
  const openCreated = (number: number) => list.set({ open: String(number) });
  return <NewCampaign onCreated={openCreated} onBack={list.close} />;
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
        rows={query.data?.pages.flatMap((page) => page.campaigns)}
        keyOf={({ campaign }) => String(campaign)}
        empty={
          <EmptyState title="No campaigns yet">
            Write a mail, choose who gets it, and look at it before it leaves.
          </EmptyState>
        }
      />
    </Screen>
  );
}

export const CAMPAIGNS: States<Campaign['state']> = {
  draft: ['Draft', 'edge'],
  sending: ['Sending', 'charged'],
  sent: ['Sent', 'plain'],
  cancelled: ['Cancelled', 'plain'],
};

type NewCampaignProps = {
  readonly onCreated: (number: number) => void;
  readonly onBack: () => void;
};

function NewCampaign({ onCreated, onBack }: NewCampaignProps) {
  const mayWrite = useMayWrite();
  return (
    <Screen
      title="New campaign"
      note="A draft: nothing is sent until you say so."
      actions={<Button onClick={onBack}>All campaigns</Button>}
    >
      {mayWrite ? (
        <DraftEditor
          saved={null}
          onSaved={({ campaign }) => onCreated(campaign)}
          onDeleted={onBack}
        />
      ) : (
        <EmptyState title="For owners only">A viewer reads campaigns and writes none.</EmptyState>
      )}
    </Screen>
  );
}

function SavedCampaign({ number, onBack }: { number: number; onBack: () => void }) {
  const query = useQuery(campaignQuery(number));
  const mayWrite = useMayWrite();
  const saved = query.data;
  return (
    <Screen
      title={saved?.subject || `Campaign ${number}`}
      note={saved && <StatePill states={CAMPAIGNS} state={saved.state} />}
      actions={<Button onClick={onBack}>All campaigns</Button>}
    >
      <QueryContent query={query} lines={8}>
        {(campaign) =>
          campaign.state === 'draft' && mayWrite ? (
            <DraftEditor saved={campaign} onSaved={() => {}} onDeleted={onBack} />
          ) : (
            <CampaignProgress campaign={campaign} />
          )
        }
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
      <Section
        title="Campaign"
        actions={
          <ChangeButton
            label="Cancel campaign"
            variant="danger"
            isOffered={state === 'sending'}
            change={{
              title: 'Cancel campaign',
              want: { kind: 'cancel-campaign', input: { campaign: campaign.campaign } },
              undoNote: 'It cannot be sent again.',
              confirmLabel: 'Cancel campaign',
              isDanger: true,
            }}
          />
        }
      >
        <KeyValues
          entries={{
            Subject: campaign.subject,
            Recipients: describeRecipients(campaign.filter),
            Began: started_at && formatMoment(started_at),
            Ended: ended_at && formatMoment(ended_at),
          }}
        />
      </Section>
      {campaign.problems.length === 0 && <MailPreview campaign={campaign} />}
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

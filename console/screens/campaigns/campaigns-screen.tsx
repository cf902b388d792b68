import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import { campaignsQuery } from '../../api/campaigns.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { type ListState, useListState } from '../../routing/use-list-state.ts';
import { useTitle } from '../../routing/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { Pager } from '../../ui/data/pager.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { formatCount } from '../../ui/text/numbers.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { CampaignPage } from './campaign-page.tsx';
import { CampaignPill } from './campaign-pill.tsx';

/** Stands for the number of a campaign that is not saved yet. */
const NEW = 'new';

const columns: readonly Column<Campaign>[] = [
  { key: 'subject', header: 'Subject', cell: ({ subject }) => subject || 'Without a subject' },
  { key: 'state', header: 'State', isNarrow: true, cell: (one) => <CampaignPill of={one} /> },
  {
    key: 'sent',
    header: 'Sent',
    align: 'end',
    isNarrow: true,
    cell: ({ state, counts }) =>
      state !== 'draft' && `${formatCount(counts.sent)} of ${formatCount(counts.recipients)}`,
  },
  {
    key: 'at',
    header: 'Since',
    isNarrow: true,
    isMinor: true,
    cell: (one) => <RelativeTime at={one.ended_at ?? one.started_at ?? one.created_at} />,
  },
];

/** Mails to a part of the line: written, tried, sent and watched here. */
export function CampaignsScreen() {
  const list = useListState();
  const open = list.get('open');
  const show = (number: string) => list.set({ open: number }, { isStep: true });
  if (open !== '')
    return (
      <CampaignPage
        key={open}
        number={open === NEW ? null : Number(open)}
        onCreated={(number) => list.set({ open: String(number) })}
        onBack={() => show('')}
      />
    );
  return <CampaignList list={list} onOpen={show} />;
}

function CampaignList({ list, onOpen }: { list: ListState; onOpen: (number: string) => void }) {
  useTitle('Campaigns');
  const mayWrite = useMayWrite();
  const before = list.get('before');
  const campaigns = useQuery(campaignsQuery(before));
  const next = campaigns.data?.next ?? null;
  const isPaged = before !== '' || next !== null;
  return (
    <>
      <PageHeader
        title="Campaigns"
        note="Mails to a part of the line."
        actions={
          mayWrite && (
            <Button
              variant="primary"
              icon={<Plus aria-hidden="true" size={16} />}
              onClick={() => onOpen(NEW)}
            >
              New campaign
            </Button>
          )
        }
      />
      <StaleNotice query={campaigns} />
      <Table
        label="Campaigns"
        columns={columns}
        rows={campaigns.data?.campaigns}
        keyOf={({ campaign }) => String(campaign)}
        nameOf={({ subject }) => subject}
        hrefOf={({ campaign }) => list.hrefWith({ open: String(campaign) })}
        error={errorFaceOf(campaigns)}
        empty={
          <EmptyFace title="No campaigns yet">
            Write a mail, choose who gets it, and look at it before it leaves.
          </EmptyFace>
        }
      />
      {isPaged && (
        <Pager
          onNewer={before === '' ? null : () => history.back()}
          onOlder={
            next === null ? null : () => list.set({ before: String(next) }, { isStep: true })
          }
        />
      )}
    </>
  );
}

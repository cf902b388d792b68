import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../../contract/operator/changes.ts';
import { auditQuery } from '../../api/changes.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { useListState } from '../../routing/use-list-state.ts';
import { useTitle } from '../../routing/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { Pill } from '../../ui/data/pill.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { EntrySheet } from './entry-sheet.tsx';

const columns: readonly Column<AuditEntry>[] = [
  { key: 'summary', header: 'What', cell: ({ summary }) => summary },
  { key: 'reason', header: 'Why', isMinor: true, cell: ({ reason }) => reason },
  { key: 'actor', header: 'Who', isNarrow: true, cell: ({ actor }) => actor.name },
  { key: 'at', header: 'When', isNarrow: true, cell: ({ at }) => <RelativeTime at={at} /> },
  { key: 'undo', header: 'Undo', isNarrow: true, cell: (entry) => <UndoPill entry={entry} /> },
];

/** What operators did, newest first, and what can still be undone. */
export function ActivityScreen() {
  useTitle('Activity');
  const log = useInfiniteQuery(auditQuery);
  const list = useListState();
  const entries = log.data?.pages.flatMap((page) => page.entries);
  const opened = entries?.find(({ number }) => String(number) === list.get('open'));

  return (
    <>
      <PageHeader title="Activity" note="What operators did, when and why." />
      <StaleNotice query={log} />
      <Table
        label="Activity"
        columns={columns}
        rows={entries}
        keyOf={({ number }) => String(number)}
        nameOf={({ summary }) => summary}
        hrefOf={({ number }) => list.hrefWith({ open: String(number) })}
        openKey={list.get('open') || null}
        error={errorFaceOf(log)}
        empty={
          <EmptyFace title="Nothing was done yet">Sign-ins and changes are listed here.</EmptyFace>
        }
      />
      {log.hasNextPage && (
        <Button onClick={() => log.fetchNextPage()} isBusy={log.isFetchingNextPage}>
          Show earlier ones
        </Button>
      )}
      {opened && (
        <EntrySheet entry={opened} onClose={() => list.set({ open: '' }, { isStep: true })} />
      )}
    </>
  );
}

function UndoPill({ entry: { undo_until, undone_by } }: { entry: AuditEntry }) {
  if (undone_by !== null) return <Pill>Undone</Pill>;
  return undo_until === null ? null : <Pill tone="charged">Possible</Pill>;
}

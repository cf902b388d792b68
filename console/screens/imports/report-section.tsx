import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MadeChange } from '../../../contract/operator/changes.ts';
import type { ListImport, ReportPage } from '../../../contract/operator/imports/list-import.ts';
import { reportQuery } from '../../api/imports.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { Stat, StatRow } from '../../ui/data/stat.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { formatCount } from '../../ui/text/numbers.ts';
import { ImportDialog } from './import-dialog.tsx';

type Line = ReportPage['lines'][number];

const columns: readonly Column<Line>[] = [
  { key: 'cell', header: 'Address', cell: ({ cell }) => cell || '(empty)' },
  { key: 'line', header: 'Line', align: 'end', isNarrow: true, cell: ({ line }) => line },
  {
    key: 'row',
    header: 'Row',
    isNarrow: true,
    cell: ({ fault }) => (fault === null ? 'Imported' : 'Left out'),
  },
  { key: 'why', header: 'Why', cell: ({ fault, notes }) => [fault, ...notes].join(' ') },
];

type ReportSectionProps = {
  readonly one: ListImport;
  readonly report: NonNullable<ListImport['report']>;
  readonly onMade: (made: MadeChange) => void;
};

/** What the check found, by line, and the way to the import. */
export function ReportSection({ one, report, onMade }: ReportSectionProps) {
  const pages = useInfiniteQuery(reportQuery(one.id));
  const [isAsking, setAsking] = useState(false);
  const lines = pages.data?.pages.flatMap((page) => page.lines);
  return (
    <Section
      title="Report"
      actions={
        <Button
          variant="primary"
          disabled={report.importable === 0}
          onClick={() => setAsking(true)}
        >
          Import
        </Button>
      }
    >
      <StatRow label="Rows">
        <Stat label="Can be imported" value={formatCount(report.importable)} isCharged />
        <Stat label="Left out" value={formatCount(report.left_out)} />
        <Stat label="With a note" value={formatCount(report.noted)} />
      </StatRow>
      <StaleNotice query={pages} />
      <Table
        label="Faults and notes"
        columns={columns}
        rows={lines}
        keyOf={({ line }) => String(line)}
        nameOf={({ line }) => `Line ${line}`}
        error={errorFaceOf(pages)}
        empty={<EmptyFace title="No faults">Every row can be imported as it is.</EmptyFace>}
      />
      {pages.hasNextPage && (
        <Button isBusy={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
          More lines
        </Button>
      )}
      {isAsking && (
        <ImportDialog importId={one.id} onMade={onMade} onClose={() => setAsking(false)} />
      )}
    </Section>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { ListImport } from '../../../contract/operator/imports/list-import.ts';
import { importsQuery } from '../../api/imports.ts';
import { Pill } from '../../ui/data/pill.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { formatCount } from '../../ui/text/numbers.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';

/** Labels and colours of states; unknown ones are shown as they are. */
const STATES: Readonly<Record<string, readonly [string, 'plain' | 'edge' | 'charged' | 'ember']>> =
  {
    receiving: ['Not whole', 'plain'],
    refused: ['Refused', 'ember'],
    received: ['To be mapped', 'edge'],
    checking: ['Being checked', 'edge'],
    checked: ['Checked', 'edge'],
    importing: ['Being imported', 'edge'],
    imported: ['Imported', 'charged'],
  };

const columns: readonly Column<ListImport>[] = [
  { key: 'file', header: 'File', cell: ({ file_name }) => file_name },
  {
    key: 'rows',
    header: 'Rows',
    align: 'end',
    isNarrow: true,
    cell: ({ report }) => report && formatCount(report.rows),
  },
  {
    key: 'state',
    header: 'State',
    isNarrow: true,
    cell({ state }) {
      const [words, tone] = STATES[state] ?? [state, 'plain'];
      return <Pill tone={tone}>{words}</Pill>;
    },
  },
  {
    key: 'at',
    header: 'Uploaded',
    isNarrow: true,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];

/** Files that were uploaded before: one can go on with those that are not imported. */
export function RecentImports({ hrefOf }: { hrefOf: (id: string) => string }) {
  const recent = useQuery(importsQuery);
  if (!recent.data || recent.data.imports.length === 0) return null;
  return (
    <Section title="Earlier files" note="Kept for a day.">
      <Table
        label="Earlier files"
        columns={columns}
        rows={recent.data.imports}
        keyOf={({ id }) => id}
        nameOf={({ file_name }) => file_name}
        hrefOf={({ id }) => hrefOf(id)}
        empty={null}
      />
    </Section>
  );
}

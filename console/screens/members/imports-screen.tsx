import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ListImport, ListImports } from '../../../contract/operator/imports/list-import.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { read } from '../../api/queries.ts';
import { useMayWrite } from '../../parts/changes.tsx';
import { FileSection } from '../../parts/file-section.tsx';
import { QueryContent } from '../../parts/query-states.tsx';
import { Screen } from '../../parts/screen.tsx';
import { type States, stateColumn } from '../../parts/state-pills.tsx';
import { useListState } from '../../routing/location.ts';
import { Button } from '../../ui/buttons.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/formats.ts';
import { Banner, EmptyState } from '../../ui/states.tsx';
import { type Column, Table, timeColumn } from '../../ui/table.tsx';
import { importQuery, MappingSection, ReportSection } from './import-steps.tsx';

const STATES: States<string> = {
  receiving: ['Not whole', 'plain'],
  refused: ['Refused', 'ember'],
  received: ['To be mapped', 'edge'],
  checking: ['Being checked', 'edge'],
  checked: ['Checked', 'edge'],
  importing: ['Being imported', 'edge'],
  imported: ['Imported', 'charged'],
};

const columns: readonly Column<ListImport>[] = [
  { header: 'File', cell: ({ file_name }) => file_name },
  {
    header: 'Rows',
    align: 'end',
    isNarrow: true,
    cell: ({ report }) => report && formatCount(report.rows),
  },
  stateColumn(STATES),
  timeColumn('Uploaded', ({ created_at }) => created_at),
];

export function ImportsScreen() {
  const list = useListState();
  const mayWrite = useMayWrite();
  const id = list.get('open');
  return (
    <Screen
      title="Import"
      note="Members of an existing list join at the end of the line."
      actions={id !== '' && <Button onClick={list.close}>Another file</Button>}
    >
      {!mayWrite && (
        <EmptyState title="For owners only">An import changes the line for everybody.</EmptyState>
      )}
      {mayWrite && id === '' && (
        <>
          <FileSection onUploaded={(open) => list.set({ open }, { isStep: true })} />
          <RecentImports hrefOf={(open) => list.hrefWith({ open })} />
        </>
      )}
      {mayWrite && id !== '' && <OneImport key={id} id={id} />}
    </Screen>
  );
}

function RecentImports({ hrefOf }: { hrefOf: (id: string) => string }) {
  const recent = useQuery(read<ListImports>(operatorPaths.imports));
  if (!recent.data || recent.data.imports.length === 0) return null;
  return (
    <Section title="Earlier files" note="Kept for a day.">
      <Table
        label="Earlier files"
        columns={columns}
        rows={recent.data.imports}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => hrefOf(id)}
      />
    </Section>
  );
}

function OneImport({ id }: { id: string }) {
  const query = useQuery(importQuery(id));
  return (
    <QueryContent query={query} lines={6}>
      {(one) => {
        if (one.problem !== null) return <Banner tone="ember">{one.problem}</Banner>;
        if (one.state === 'importing') return <Banner>The members are joining.</Banner>;
        if (one.state === 'imported') return <Imported />;
        if (one.file === null)
          return <Banner tone="ember">The file did not arrive whole: choose it again.</Banner>;
        return (
          <MappingSection one={one} file={one.file}>
            {one.report && <ReportSection key={one.state} one={one} report={one.report} />}
          </MappingSection>
        );
      }}
    </QueryContent>
  );
}

function Imported() {
  const activity = (
    <Link className="button button-secondary" href="/activity">
      Go to Activity
    </Link>
  );
  return (
    <Banner tone="charged" action={activity}>
      This list was imported. Activity has its undo, for 24 hours.
    </Banner>
  );
}

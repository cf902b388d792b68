import {
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { IMPORT_FIELDS, IMPORT_NAMES, type ImportField } from '../../../contract/member-fields.ts';
import type {
  ImportMapping,
  ListImport,
  ReportPage,
} from '../../../contract/operator/imports/list-import.ts';
import { call, read, readRows, useRead } from '../../api/queries.ts';
import { messageOf } from '../../api/request.ts';
import { ActionButton, useMayWrite } from '../../parts/changes.tsx';
import { FileSection } from '../../parts/file-section.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { QueryContent, QueryList, Screen } from '../../parts/screen.tsx';
import { type States, stateColumn } from '../../parts/state-pills.tsx';
import { useListState } from '../../routing/location.ts';
import { Button } from '../../ui/buttons.tsx';
import { Banner, EmptyState, Section, Stat, StatRow } from '../../ui/facts.tsx';
import { Form } from '../../ui/fields.tsx';
import {
  Fields,
  type FieldValues,
  type FormFields,
  initialValues,
  readInput,
} from '../../ui/form-fields.tsx';
import { formatCount } from '../../ui/formats.ts';
import { useKeptFields } from '../../ui/kept-state.ts';
import { type Column, Table, timeColumn } from '../../ui/table.tsx';

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
  const recent = useRead('GET imports');
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

const POLL_MS = 500;

const importQuery = (id: string) =>
  queryOptions({
    ...read('GET listImport', { at: [id] }),
    refetchInterval: ({ state }) =>
      ['checking', 'importing'].includes(state.data?.state ?? '') ? POLL_MS : false,
  });

const reportQuery = (id: string) => readRows('GET importReport', { at: [id] });

type File = NonNullable<ListImport['file']>;
type Field = ImportField | 'order' | 'dates';

type MappingProps = { one: ListImport; file: File; children: ReactNode };

/** The children are about a check: they are shown while its columns are the chosen ones. */
function MappingSection({ one, file, children }: MappingProps) {
  const client = useQueryClient();
  const fields = formOf(one, file);
  const checked = initialValues(fields);
  const kept = useKeptFields('columns', checked);
  const isChanged = Object.entries(kept.fields).some(
    ([name, value]) => value !== checked[name as Field],
  );
  const { order, dates, ...columns } = readInput(fields, kept.fields);
  const check = useMutation({
    mutationFn: () => {
      const body = { columns, order, dates } as ImportMapping;
      return call('PUT importMapping', { at: [one.id], body });
    },
    onSuccess: (now) => {
      kept.forget();
      client.removeQueries({ queryKey: reportQuery(one.id).queryKey });
      client.setQueryData(importQuery(one.id).queryKey, now);
    },
  });
  const isChecking = one.state === 'checking';
  return (
    <>
      <Section title="Columns" note={`${one.file_name}: ${file.encoding}`}>
        <Form className="fields" onSubmit={check.mutate}>
          <Fields
            fields={fields}
            values={kept.fields}
            onChange={(name, value) => kept.change({ [name]: value })}
          />
          <Button
            type="submit"
            disabled={columns.email === undefined}
            isBusy={check.isPending || isChecking}
          >
            Check the rows
          </Button>
        </Form>
        {isChecking && <progress aria-label="Check" value={one.read_bytes} max={one.bytes} />}
        {check.isError && <Banner tone="ember">{messageOf(check.error)}</Banner>}
      </Section>
      {!isChanged && children}
    </>
  );
}

/** The value of a field is the index of its column, or empty. */
function formOf({ mapping }: ListImport, { columns }: File): FormFields<Field> {
  const options = [
    { value: '', label: 'Not used' },
    ...columns.map(({ name }, index) => ({ value: String(index), label: name })),
  ];
  const selects = IMPORT_NAMES.map((name) => {
    const suggested = columns.findIndex((column) => column.suggested === name);
    const chosen = mapping ? (mapping.columns[name] ?? -1) : suggested;
    const hint = (values: FieldValues<Field>) => {
      const column = columns[Number(values[name] || Number.NaN)];
      return column ? `Such as ${column.samples.join(' · ') || 'nothing yet'}` : '';
    };
    const value = chosen < 0 ? '' : String(chosen);
    const read = (text: string) => (text === '' ? undefined : Number(text));
    return [name, { label: IMPORT_FIELDS[name].label, kind: 'select', options, value, hint, read }];
  });
  return {
    ...Object.fromEntries(selects),
    order: {
      label: 'Order',
      kind: 'select',
      options: { file: 'Of the file', joined_at: 'By time of joining' },
      value: mapping?.order ?? 'file',
    },
    dates: {
      label: 'Dates such as 1/2/2026',
      kind: 'select',
      options: { '': 'Do not guess', day_first: 'Day first', month_first: 'Month first' },
      value: mapping?.dates ?? '',
    },
  };
}

type Line = ReportPage['lines'][number];

const reportColumns: readonly Column<Line>[] = [
  { header: 'Address', cell: ({ cell }) => cell || '(empty)' },
  { header: 'Line', align: 'end', isNarrow: true, cell: ({ line }) => line },
  {
    header: 'Row',
    isNarrow: true,
    cell: ({ fault }) => (fault === null ? 'Imported' : 'Left out'),
  },
  { header: 'Why', cell: ({ fault, notes }) => [fault, ...notes].join(' ') },
];

type Report = NonNullable<ListImport['report']>;

function ReportSection({ one, report }: { one: ListImport; report: Report }) {
  const pages = useInfiniteQuery(reportQuery(one.id));
  return (
    <Section
      title="Report"
      actions={
        <ActionButton
          label="Import"
          variant="primary"
          disabled={report.importable === 0}
          dialog={importMembers(one.id)}
        />
      }
    >
      <StatRow label="Rows">
        <Stat label="Can be imported" value={formatCount(report.importable)} isCharged />
        <Stat label="Left out" value={formatCount(report.left_out)} />
        <Stat label="With a note" value={formatCount(report.noted)} />
      </StatRow>
      <QueryList
        query={pages}
        label="Faults and notes"
        columns={reportColumns}
        keyOf={({ line }) => String(line)}
        emptyTitle="No faults"
        empty="Every row can be imported as it is."
      />
    </Section>
  );
}

const importMembers = (importId: string) =>
  changeForm({
    title: 'Import members',
    fields: {
      may_mail: {
        label: 'I may write to these people.',
        kind: 'checkbox',
        isRequired: true,
        missing: 'State first that you may write to them.',
      },
      confirmed: { label: 'Their addresses were proved to be theirs.', kind: 'checkbox' },
      mail: {
        label: 'Send each of them a mail with their status link.',
        kind: 'checkbox',
        read: (is) => (is === '' ? 'none' : 'welcome'),
      },
    },
    want: { kind: 'import-members', input: { import_id: importId } },
    confirmLabel: 'Import',
  });

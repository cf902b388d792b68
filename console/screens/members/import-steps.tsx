import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { MadeChange } from '../../../contract/operator/changes.ts';
import type {
  ImportField,
  ImportMapping,
  ListImport,
  ReportPage,
} from '../../../contract/operator/imports/list-import.ts';
import { checkList, importQuery, reportQuery } from '../../api/members.ts';
import { messageOf } from '../../api/request.ts';
import { changeForm } from '../../parts/change-form.tsx';
import { ActionButton } from '../../parts/changes.tsx';
import { QueryList } from '../../parts/query-states.tsx';
import { Button } from '../../ui/buttons.tsx';
import type { Column } from '../../ui/columns.tsx';
import { Stat, StatRow } from '../../ui/facts.tsx';
import { Form, Select } from '../../ui/fields.tsx';
import { formatCount } from '../../ui/formats.ts';
import { Section } from '../../ui/frame.tsx';
import { useKeptFields } from '../../ui/kept-state.ts';
import { Banner } from '../../ui/states.tsx';

const ORDERS = { file: 'Of the file', joined_at: 'By time of joining' };
const DATES = { '': 'Do not guess', day_first: 'Day first', month_first: 'Month first' };

type File = NonNullable<ListImport['file']>;

export function MappingSection({ one, file }: { one: ListImport; file: File }) {
  const client = useQueryClient();
  const { fields, change, forget } = useKeptFields('columns', chosenFields(one, file));
  const { columns, order, dates } = fields;
  const mapping = mappingOf(fields);
  const check = useMutation({
    mutationFn: (wanted: ImportMapping) => checkList(one.id, wanted),
    onSuccess: (now) => {
      forget();
      client.removeQueries({ queryKey: reportQuery(one.id).queryKey });
      client.setQueryData(importQuery(one.id).queryKey, now);
    },
  });
  const isChecking = one.state === 'checking' && !one.is_stalled;
  const options = [
    { value: '', label: 'Not used' },
    ...file.columns.map(({ name }, index) => ({ value: String(index), label: name })),
  ];
  return (
    <Section
      title="Columns"
      note={`${one.file_name}: ${file.encoding}${file.tool ? `, as ${file.tool} names them` : ''}`}
    >
      <Form
        className="fields"
        onSubmit={() => {
          if (mapping) check.mutate(mapping);
        }}
      >
        {FIELDS.map(({ field, label }) => {
          const column = file.columns[Number(columns[field] ?? Number.NaN)];
          return (
            <Select
              key={field}
              label={label}
              options={options}
              value={columns[field] ?? ''}
              onChange={(value) => change({ columns: { ...columns, [field]: value } })}
              {...(column && { hint: `Such as ${column.samples.join(' · ') || 'nothing yet'}` })}
            />
          );
        })}
        <Select
          label="Order"
          options={ORDERS}
          value={order}
          onChange={(value) => change({ order: value === 'joined_at' ? value : 'file' })}
        />
        <Select
          label="Dates such as 1/2/2026"
          options={DATES}
          value={dates}
          onChange={(value) => change({ dates: value })}
        />
        <Button type="submit" disabled={!mapping} isBusy={check.isPending || isChecking}>
          Check the rows
        </Button>
      </Form>
      {isChecking && <progress aria-label="Check" value={one.read_bytes} max={one.bytes} />}
      {one.is_stalled && <Banner tone="ember">The check has stopped: begin it again.</Banner>}
      {check.isError && <Banner tone="ember">{messageOf(check.error)}</Banner>}
    </Section>
  );
}

type Fields = {
  /** Index of the column for each field. */
  readonly columns: { readonly [Field in ImportField]?: string };
  readonly order: ImportMapping['order'];
  readonly dates: string;
};

const FIELDS: readonly { readonly field: ImportField; readonly label: string }[] = [
  { field: 'email', label: 'E-mail address' },
  { field: 'referral_code', label: 'Referral code' },
  { field: 'referrer', label: 'Referrer: address, code or row id' },
  { field: 'row_id', label: 'Row id' },
  { field: 'joined_at', label: 'Time of joining' },
  { field: 'referral_count', label: 'Number of friends' },
  { field: 'confirmed_at', label: 'Time of confirmation' },
  { field: 'is_invited', label: 'Invited' },
  { field: 'point_adjustment', label: 'Points given by an operator' },
  { field: 'credit', label: 'State of the credit for them' },
  { field: 'credit_reasons', label: 'Reasons of that state' },
  { field: 'mail_state', label: 'State of their mail' },
  { field: 'utm_source', label: 'Source' },
  { field: 'utm_medium', label: 'Medium of the source' },
  { field: 'utm_campaign', label: 'Campaign of the source' },
  { field: 'via', label: 'App of the invite link' },
  { field: 'referring_host', label: 'Referring site' },
];

/** As they were last checked, or as the headers of the file suggest. */
function chosenFields({ mapping }: ListImport, { columns }: File): Fields {
  const known = mapping
    ? Object.entries(mapping.columns)
    : columns.flatMap(({ suggested }, index) => (suggested === null ? [] : [[suggested, index]]));
  return {
    columns: Object.fromEntries(known.map(([field, column]) => [field, String(column)])),
    order: mapping?.order ?? 'file',
    dates: mapping?.dates ?? '',
  };
}

function mappingOf({ columns: chosen, order, dates }: Fields): ImportMapping | null {
  const columns = Object.fromEntries(
    Object.entries(chosen)
      .filter(([, column]) => column !== '')
      .map(([field, column]) => [field, Number(column)]),
  );
  if (columns.email === undefined) return null;
  const isKnown = dates === 'day_first' || dates === 'month_first';
  return { columns: { ...columns, email: columns.email }, order, ...(isKnown && { dates }) };
}

type Line = ReportPage['lines'][number];

const columns: readonly Column<Line>[] = [
  { header: 'Address', cell: ({ cell }) => cell || '(empty)' },
  { header: 'Line', align: 'end', isNarrow: true, cell: ({ line }) => line },
  {
    header: 'Row',
    isNarrow: true,
    cell: ({ fault }) => (fault === null ? 'Imported' : 'Left out'),
  },
  { header: 'Why', cell: ({ fault, notes }) => [fault, ...notes].join(' ') },
];

type ReportSectionProps = {
  readonly one: ListImport;
  readonly report: NonNullable<ListImport['report']>;
  readonly onMade: (made: MadeChange) => void;
};

export function ReportSection({ one, report, onMade }: ReportSectionProps) {
  const pages = useInfiniteQuery(reportQuery(one.id));
  return (
    <Section
      title="Report"
      actions={
        <ActionButton
          label="Import"
          variant="primary"
          disabled={report.importable === 0}
          dialog={importMembers(one.id, onMade)}
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
        columns={columns}
        rows={pages.data?.pages.flatMap((page) => page.lines)}
        keyOf={({ line }) => String(line)}
        emptyTitle="No faults"
        empty="Every row can be imported as it is."
      />
    </Section>
  );
}

const importMembers = (importId: string, onMade: (made: MadeChange) => void) =>
  changeForm({
    title: 'Import members',
    fields: {
      may_mail: { label: 'I may write to these people.', kind: 'checkbox' },
      confirmed: { label: 'Their addresses were proved to be theirs.', kind: 'checkbox' },
      welcome: { label: 'Send each of them a mail with their status link.', kind: 'checkbox' },
    },
    want: ({ confirmed, welcome }) => ({
      kind: 'import-members',
      input: {
        import_id: importId,
        may_mail: true,
        confirmed: confirmed !== '',
        mail: welcome === '' ? 'none' : 'welcome',
      },
    }),
    wordsOf: ({ may_mail }) =>
      may_mail === '' ? { objection: 'State first that you may write to them.' } : {},
    undoNote: 'Can be undone for 24 hours.',
    confirmLabel: 'Import',
    isSilent: true,
    onMade,
  });

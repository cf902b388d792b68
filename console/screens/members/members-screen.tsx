import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import ListFilter from 'lucide-react/icons/list-filter';
import { useEffect, useState } from 'react';
import { FIELD_NAMES, type FieldName, memberField } from '../../../contract/member-fields.ts';
import { MAX_NAMED_MEMBERS } from '../../../contract/operator/limits.ts';
import type { ListedMember } from '../../../contract/operator/member-list.ts';
import type { ExportRequest } from '../../../contract/operator/members.ts';
import { copyText } from '../../../web/ui/clipboard.ts';
import { pathOf, readRows } from '../../api/queries.ts';
import { ActionButton, useShow } from '../../parts/changes.tsx';
import { ExportFiles } from '../../parts/downloads.tsx';
import { plainForm } from '../../parts/forms.tsx';
import { QueryList, Screen } from '../../parts/screen.tsx';
import { StatePill } from '../../parts/state-pills.tsx';
import { useListState } from '../../routing/location.ts';
import { Button } from '../../ui/buttons.tsx';
import { Address, Pill } from '../../ui/facts.tsx';
import { SearchField, Select } from '../../ui/fields.tsx';
import { startFrom } from '../../ui/form-fields.tsx';
import { formatAmount, formatCount } from '../../ui/formats.ts';
import { FilterBar, SelectionBar } from '../../ui/list-bars.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { type Column, codeColumn, countColumn, timeColumn, writeSort } from '../../ui/table.tsx';
import { showFailure, showToast } from '../../ui/toasts.tsx';
import {
  CREDITS,
  describeCount,
  describeFilter,
  FILTER_FIELDS,
  FILTER_FORM,
  type FilterValues,
  MAIL_LABELS,
  type MemberQuestion,
  readMemberSort,
  readQuestion,
  readValues,
  sortOptions,
} from './filter-rules.ts';
import { memberCountQuery, removeMembers } from './member-dialogs.tsx';
import { MemberSheet } from './member-sheet.tsx';

const NO_FILTER = Object.fromEntries(['q', ...FILTER_FIELDS].map((name) => [name, '']));
const FILES: readonly (ExportRequest & { readonly label: string })[] = [
  { format: 'csv', label: 'CSV, for spreadsheets' },
  { format: 'csv', separator: ';', label: 'CSV with ;, for Excel in German or Spanish' },
  { format: 'jsonl', label: 'JSON Lines, for programs' },
  { format: 'json', label: 'JSON, one array' },
];
/** The size of the server's pages. */
const STEP_ROWS = 50;

export function MembersScreen() {
  const list = useListState();
  const question = readQuestion(list.get);
  const { filter } = question;
  const { text: _, ...chosen } = filter;
  const { query, rows, isSearching, showMore } = useMemberPages(question);
  const count = useQuery(memberCountQuery(filter));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const show = useShow();
  const openFilter = () => show(filterForm(readValues(list.get), list.set));
  useShortcuts({ f: openFilter });
  const sort = readMemberSort(list.get('sort'));
  const isFiltered = Object.keys(filter).length > 0;
  const open = list.get('open');

  return (
    <Screen
      title="Members"
      note="Everybody in line, and where they stand now."
      actions={
        <>
          <ActionButton
            label="Remove these"
            isOffered={isFiltered}
            dialog={removeMembers({ filter })}
          />
          <ExportFiles
            label={isFiltered ? 'Export these' : 'Export all'}
            files={FILES.map(({ label, ...file }) => ({
              label,
              name: `waitlist.${file.format}`,
              path: pathOf('POST exportMembers'),
              body: { filter, ...file },
            }))}
          />
        </>
      }
    >
      <FilterBar
        chips={describeFilter(chosen).map(({ field, label }) => ({
          label,
          onRemove: () => list.set({ [field]: '' }),
        }))}
        onClear={() => list.set(NO_FILTER)}
        summary={count.data && describeCount(count.data)}
      >
        <SearchField
          label="Search members"
          placeholder="Address, code, id, #128 or #1-100"
          {...list.field('q')}
        />
        <Button icon={<ListFilter aria-hidden="true" size={16} />} onClick={openFilter}>
          Filter
        </Button>
        <Select
          label="Order"
          isLabelHidden
          options={sortOptions}
          value={writeSort(sort)}
          onChange={(value) => list.set({ sort: value })}
        />
      </FilterBar>
      <QueryList
        query={query}
        list={list}
        label="Members"
        columns={memberColumns}
        rows={rows?.length === 0 && isSearching ? undefined : rows}
        keyOf={({ id }) => id}
        nameOf={({ email }) => email}
        sort={sort}
        onSort={(by) => list.set({ sort: writeSort(by) })}
        selection={{ keys: selected, onChange: setSelected }}
        emptyTitle={isFiltered ? 'No member matches' : 'Nobody is in line yet'}
        empty={
          isFiltered
            ? 'Try fewer filters, or a shorter part of the address.'
            : 'Members are listed here as soon as they have joined.'
        }
        emptyAction={
          isFiltered && <Button onClick={() => list.set(NO_FILTER)}>Show everybody</Button>
        }
        summary={isSearching && 'Still searching the line…'}
        onMore={showMore}
      />
      <MemberSelection rows={rows ?? []} selected={selected} onChange={setSelected} />
      {open !== '' && (
        <MemberSheet
          key={open}
          id={open}
          hrefOf={(id) => list.hrefWith({ open: id })}
          onClose={list.close}
        />
      )}
    </Screen>
  );
}

/** A page that ended before it was full is followed by the next automatically. */
function useMemberPages(question: MemberQuestion) {
  const query = useInfiniteQuery({
    ...readRows('POST listMembers', { body: question }),
    // A refetch would load every page again, and move the rows while they are read.
    refetchOnWindowFocus: false,
  });
  const key = JSON.stringify(question);
  const [asked, setAsked] = useState({ key, rows: STEP_ROWS });
  const wanted = asked.key === key ? asked.rows : STEP_ROWS;

  const { data: rows, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const isShort = rows !== undefined && rows.length < wanted && hasNextPage && !isError;
  useEffect(() => {
    if (isShort && !isFetching) void fetchNextPage();
  }, [isShort, isFetching, fetchNextPage]);

  return {
    query,
    rows,
    isSearching: isShort,
    showMore: () => setAsked({ key, rows: (rows?.length ?? 0) + STEP_ROWS }),
  };
}

const filterForm = (values: FilterValues, apply: (values: FilterValues) => void) =>
  plainForm({
    title: 'Filter members',
    confirmLabel: 'Apply',
    isGrid: true,
    fields: startFrom(values, FILTER_FORM),
    make: async (chosen) => apply(chosen),
  });

type MemberSelectionProps = {
  readonly rows: readonly ListedMember[];
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
};

function MemberSelection({ rows, selected, onChange }: MemberSelectionProps) {
  const members = rows.filter(({ id }) => selected.has(id));
  if (members.length === 0) return null;
  const amount = formatAmount(members.length, 'member');
  const clear = () => onChange(new Set());

  async function copyAddresses(): Promise<void> {
    if (await copyText(members.map(({ email }) => email).join('\n')))
      showToast(`Addresses of ${amount} copied`);
    else showFailure('Copy failed', 'The browser does not allow it. Export the members instead.');
  }

  return (
    <SelectionBar summary={`${amount} selected`} onClear={clear}>
      <Button onClick={copyAddresses}>Copy addresses</Button>
      <ActionButton
        label="Remove"
        disabled={members.length > MAX_NAMED_MEMBERS}
        dialog={removeMembers({ member_ids: members.map(({ id }) => id) }, clear)}
      />
    </SelectionBar>
  );
}

/** Of fields that a column alone does not show as lists do. */
const CELLS: Partial<Readonly<Record<FieldName, Partial<Column<ListedMember>>>>> = {
  email: { cell: ({ email }) => <Address email={email} /> },
  position: { cell: ({ position }) => `#${formatCount(position)}`, sortKey: 'position' },
  referral_count: { sortKey: 'referrals' },
  confirmed_referrals: { isMinor: true },
  tier_level: { cell: ({ tier_level }) => tier_level || '—', isMinor: true },
  credit: { header: 'State', cell: (member) => memberPills(member) },
  joined_at: { sortKey: 'joined' },
};

/** The state of mail stands beside that of the credit. */
const LISTED = FIELD_NAMES.filter(
  (name) => memberField(name).head !== undefined && name !== 'email' && name !== 'mail_state',
);

const memberColumns = ['email' as const, ...LISTED].map(
  (name): Column<ListedMember> => ({ ...columnOf(name), ...CELLS[name] }),
);

function columnOf(name: FieldName): Column<ListedMember> {
  const { form, head = '' } = memberField(name);
  if (form === 'whole') return countColumn(head, (member) => Number(member[name]));
  if (form === 'code') return codeColumn(head, (member) => String(member[name]));
  if (form === 'time') return timeColumn(head, (member) => String(member[name]));
  return { header: head, isNarrow: name !== 'email', cell: (member) => member[name] };
}

function memberPills({ credit, mail_state }: ListedMember) {
  const isUsual = credit === 'none' || credit === 'given';
  if (isUsual && mail_state === 'sending') return null;
  return (
    <span className="pills">
      {!isUsual && <StatePill states={CREDITS} state={credit} />}
      {mail_state !== 'sending' && <Pill tone="ember">{MAIL_LABELS[mail_state]}</Pill>}
    </span>
  );
}

import { useQuery } from '@tanstack/react-query';
import ListFilter from 'lucide-react/icons/list-filter';
import { useCallback, useState } from 'react';
import type { MemberCount } from '../../../contract/operator/member-list.ts';
import { memberCountQuery } from '../../api/members.ts';
import {
  describeFilter,
  FILTER_FIELDS,
  readValues,
} from '../../parts/member-filter/filter-rules.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { useListState } from '../../routing/use-list-state.ts';
import { useTitle } from '../../routing/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts.ts';
import { FilterBar } from '../../ui/lists/filter-bar.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { formatAmount, formatCount } from '../../ui/text/numbers.ts';
import { ExportMenu } from './export-menu.tsx';
import { FilterDialog } from './filter-dialog.tsx';
import { memberColumns } from './member-columns.tsx';
import { MemberSelection } from './member-selection.tsx';
import { readQuestion, readSort, sortOptions } from './question-rules.ts';
import { RemoveMatching } from './remove-matching.tsx';
import { MemberSheet } from './sheet/member-sheet.tsx';
import { useMemberPages } from './use-member-pages.ts';

const NO_FILTER = Object.fromEntries(['q', ...FILTER_FIELDS].map((name) => [name, '']));

/** Everybody in line: searched, filtered, sorted, selected and exported. */
export function MembersScreen() {
  useTitle('Members');
  const list = useListState();
  const question = readQuestion(list.get);
  const { filter } = question;
  const { query, rows, hasMore, isSearching, showMore } = useMemberPages(question);
  const count = useQuery(memberCountQuery(filter));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isFiltering, setFiltering] = useState(false);
  useShortcuts({ f: () => setFiltering(true) });
  const { sort, isDescending } = readSort(list.get('sort'));
  const search = useCallback((q: string) => list.set({ q }), [list.set]);
  const open = list.get('open');

  return (
    <>
      <PageHeader
        title="Members"
        note="Everybody in line, and where they stand now."
        actions={
          <>
            <RemoveMatching filter={filter} />
            <ExportMenu filter={filter} />
          </>
        }
      />
      <FilterBar
        search={
          <SearchField
            label="Search members"
            placeholder="Address, code, id or #position"
            maxLength={200}
            value={list.get('q')}
            onSearch={search}
          />
        }
        controls={
          <>
            <Button
              icon={<ListFilter aria-hidden="true" size={16} />}
              onClick={() => setFiltering(true)}
            >
              Filter
            </Button>
            <Select
              label="Order"
              isLabelHidden
              options={sortOptions}
              value={`${isDescending ? '-' : ''}${sort}`}
              onChange={(value) => list.set({ sort: value })}
            />
          </>
        }
        chips={describeFilter(filter).map(({ field, label }) => ({
          key: field,
          label,
          onRemove: () => list.set({ [field]: '' }),
        }))}
        onClear={() => list.set(NO_FILTER)}
        summary={count.data && describeCount(count.data)}
      />
      <StaleNotice query={query} />
      <Table
        label="Members"
        columns={memberColumns}
        rows={rows?.length === 0 && isSearching ? undefined : rows}
        keyOf={({ id }) => id}
        nameOf={({ email }) => email}
        hrefOf={({ id }) => list.hrefWith({ open: id })}
        openKey={open || null}
        sort={{ by: sort, isDescending }}
        onSort={({ by, isDescending: isDown }) => list.set({ sort: `${isDown ? '-' : ''}${by}` })}
        selection={{ keys: selected, onChange: setSelected }}
        isStale={query.isFetching && !query.isFetchingNextPage && rows !== undefined}
        error={errorFaceOf(query)}
        empty={
          Object.keys(filter).length === 0 ? (
            <EmptyFace title="Nobody is in line yet">
              Members are listed here as soon as they have joined.
            </EmptyFace>
          ) : (
            <EmptyFace
              title="No member matches"
              action={<Button onClick={() => list.set(NO_FILTER)}>Show everybody</Button>}
            >
              Try fewer filters, or a shorter part of the address.
            </EmptyFace>
          )
        }
      />
      {rows !== undefined && rows.length + Number(isSearching) > 0 && (
        <div className="list-end">
          <p className="quiet" role="status">
            {isSearching ? 'Still searching the line…' : `${formatCount(rows.length)} shown`}
          </p>
          {hasMore && (
            <Button onClick={showMore} isBusy={query.isFetchingNextPage}>
              Show more
            </Button>
          )}
        </div>
      )}
      <MemberSelection rows={rows ?? []} selected={selected} onChange={setSelected} />
      {isFiltering && (
        <FilterDialog
          values={readValues(list.get)}
          onApply={(values) => {
            list.set(values);
            setFiltering(false);
          }}
          onClose={() => setFiltering(false)}
        />
      )}
      {open !== '' && (
        <MemberSheet
          key={open}
          id={open}
          hrefOf={(id) => list.hrefWith({ open: id })}
          onClose={() => list.set({ open: '' }, { isStep: true })}
        />
      )}
    </>
  );
}

function describeCount({ count, is_exact }: MemberCount): string {
  const amount = formatAmount(count, 'member');
  return is_exact ? amount : `More than ${amount}`;
}

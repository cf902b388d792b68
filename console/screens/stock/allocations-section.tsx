import type { UseQueryResult } from '@tanstack/react-query';
import type { Allocation, Allocations } from '../../../contract/operator/masks.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import type { ListState } from '../../routing/use-list-state.ts';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { Pill } from '../../ui/data/pill.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { FilterBar } from '../../ui/lists/filter-bar.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column, Sort } from '../../ui/lists/table-shape.ts';
import { formatAmount, formatCount } from '../../ui/text/numbers.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { pickAllocations } from './stock-rules.ts';

const columns: readonly Column<Allocation>[] = [
  { key: 'note', header: 'For', cell: ({ note }) => note },
  { key: 'size', header: 'Size', isSortable: true, isNarrow: true, cell: ({ size }) => size },
  {
    key: 'quantity',
    header: 'Masks',
    align: 'end',
    isSortable: true,
    isNarrow: true,
    cell: ({ quantity }) => formatCount(quantity),
  },
  { key: 'state', header: 'State', isNarrow: true, cell: (one) => <AllocationPill of={one} /> },
  {
    key: 'allocated_at',
    header: 'Allocated',
    isSortable: true,
    isNarrow: true,
    cell: ({ allocated_at }) => <RelativeTime at={allocated_at} />,
  },
];

const STATES = [
  { value: '', label: 'All' },
  { value: 'held', label: 'Held' },
  { value: 'released', label: 'Released' },
];

type AllocationsSectionProps = {
  readonly allocations: UseQueryResult<Allocations>;
  readonly list: ListState;
};

export function AllocationsSection({ allocations, list }: AllocationsSectionProps) {
  const all = allocations.data?.allocations;
  const sort = readSort(list.get('sort'));
  const [text, state] = [list.get('q'), list.get('state')];
  const picked = all && pickAllocations(all, { text, state, sort });

  return (
    <Section title="Allocations">
      <StaleNotice query={allocations} />
      <FilterBar
        search={
          <SearchField
            label="Search allocations"
            placeholder="Search by note or size"
            value={text}
            onSearch={(q) => list.set({ q })}
          />
        }
        controls={
          <Segmented
            label="State"
            options={STATES}
            value={state}
            onChange={(chosen) => list.set({ state: chosen })}
          />
        }
        summary={picked && formatAmount(picked.length, 'allocation')}
      />
      <Table
        label="Allocations"
        columns={columns}
        rows={picked}
        keyOf={({ id }) => id}
        nameOf={({ note }) => note}
        hrefOf={({ id }) => list.hrefWith({ open: id })}
        openKey={list.get('open') || null}
        sort={sort}
        onSort={({ by, isDescending }) => list.set({ sort: `${isDescending ? '-' : ''}${by}` })}
        error={errorFaceOf(allocations)}
        empty={
          all?.length === 0 ? (
            <EmptyFace title="No allocations yet">
              Masks that are put aside for somebody are listed here.
            </EmptyFace>
          ) : (
            <EmptyFace title="No allocation matches">Try other words, or show all.</EmptyFace>
          )
        }
      />
    </Section>
  );
}

export function AllocationPill({ of: { released_at } }: { of: Allocation }) {
  return released_at === null ? <Pill tone="charged">Held</Pill> : <Pill>Released</Pill>;
}

/** The newest first unless the URL says otherwise. */
function readSort(text: string): Sort {
  if (text === '') return { by: 'allocated_at', isDescending: true };
  return { by: text.replace(/^-/, ''), isDescending: text.startsWith('-') };
}

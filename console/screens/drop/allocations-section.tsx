import { useQuery } from '@tanstack/react-query';
import type { Allocation } from '../../../contract/operator/masks.ts';
import { allocationsQuery } from '../../api/drop.ts';
import { ChangeForm } from '../../parts/change-form.tsx';
import { ActionButton } from '../../parts/changes.tsx';
import { QueryList } from '../../parts/query-states.tsx';
import { useListState } from '../../routing/location.ts';
import { Segmented } from '../../ui/choices.tsx';
import { type Column, countColumn, type Sort, timeColumn } from '../../ui/columns.tsx';
import { CodeText, KeyValues, Pill } from '../../ui/facts.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { Section } from '../../ui/frame.tsx';
import { FilterBar } from '../../ui/list-bars.tsx';
import { formatAmount } from '../../ui/numbers.ts';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { formatMoment } from '../../ui/times.ts';
import { pickAllocations } from './stock-rules.ts';

const columns: readonly Column<Allocation>[] = [
  { header: 'For', cell: ({ note }) => note },
  { header: 'Size', sortKey: 'size', isNarrow: true, cell: ({ size }) => size },
  countColumn('Masks', ({ quantity }) => quantity, { sortKey: 'quantity' }),
  { header: 'State', isNarrow: true, cell: (one) => allocationPill(one) },
  timeColumn('Allocated', ({ allocated_at }) => allocated_at, { sortKey: 'allocated_at' }),
];

const STATES = { '': 'All', held: 'Held', released: 'Released' };

export function AllocationsSection() {
  const query = useQuery(allocationsQuery);
  const list = useListState();
  const all = query.data?.allocations;
  const sort = readSort(list.get('sort'));
  const [text, state] = [list.get('q'), list.get('state')];
  const picked = all && pickAllocations(all, { text, state, sort });
  const opened = all?.find(({ id }) => id === list.get('open'));

  return (
    <Section title="Allocations">
      <FilterBar summary={picked && formatAmount(picked.length, 'allocation')}>
        <SearchField
          label="Search allocations"
          placeholder="Search by note or size"
          value={text}
          onSearch={list.search}
        />
        <Segmented
          label="State"
          options={STATES}
          value={state}
          onChange={(chosen) => list.set({ state: chosen })}
        />
      </FilterBar>
      <QueryList
        query={query}
        list={list}
        label="Allocations"
        columns={columns}
        rows={picked}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={({ by, isDescending }) => list.set({ sort: `${isDescending ? '-' : ''}${by}` })}
        empty={
          all?.length === 0 ? (
            <EmptyState title="No allocations yet">
              Masks that are put aside for somebody are listed here.
            </EmptyState>
          ) : (
            <EmptyState title="No allocation matches">Try other words, or show all.</EmptyState>
          )
        }
      />
      {opened && <AllocationSheet allocation={opened} onClose={list.close} />}
    </Section>
  );
}

function allocationPill({ released_at }: Allocation) {
  return released_at === null ? <Pill tone="charged">Held</Pill> : <Pill>Released</Pill>;
}

function readSort(text: string): Sort {
  if (text === '') return { by: 'allocated_at', isDescending: true };
  return { by: text.replace(/^-/, ''), isDescending: text.startsWith('-') };
}

type AllocationSheetProps = { readonly allocation: Allocation; readonly onClose: () => void };

function AllocationSheet({ allocation, onClose }: AllocationSheetProps) {
  const { id, size, quantity, note, allocated_at, released_at, release_note } = allocation;
  return (
    <SideSheet title={`${formatAmount(quantity, 'mask')}, ${size}`} onClose={onClose}>
      <KeyValues
        entries={{
          State: allocationPill(allocation),
          For: note,
          Allocated: formatMoment(allocated_at),
          Released: released_at && formatMoment(released_at),
          'Why released': release_note,
          Id: <CodeText label="the id" value={id} />,
        }}
      />
      <ActionButton
        label="Release"
        isOffered={released_at === null}
        dialog={(close) => <ReleaseDialog allocation={allocation} onClose={close} />}
      />
    </SideSheet>
  );
}

function ReleaseDialog({ allocation: { id, size, quantity }, onClose }: AllocationSheetProps) {
  return (
    <ChangeForm
      title={`Release ${quantity}, ${size}`}
      confirmLabel="Release"
      fields={{ note: { label: 'Note', maxLength: 500, isFirst: true } }}
      want={(values) => {
        const note = values.note.trim();
        if (note === '') return 'Write a note that stays with the allocation.';
        return { kind: 'release-masks', input: { allocation_id: id, note } };
      }}
      onClose={onClose}
    />
  );
}

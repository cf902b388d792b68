import type { Allocation, MaskSize, MaskSizes } from '../../../contract/operator/masks.ts';
import { useRead } from '../../api/queries.ts';
import { ActionButton } from '../../parts/changes.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { QueryContent, QueryList, Screen, useColumns } from '../../parts/screen.tsx';
import { useListState } from '../../routing/location.ts';
import { CodeText, KeyValues, Pill, Section, Stat, StatRow } from '../../ui/facts.tsx';
import { SearchField, Segmented } from '../../ui/fields.tsx';
import { formatAmount, formatCount, formatMoment } from '../../ui/formats.ts';
import { FilterBar } from '../../ui/list-bars.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import {
  actionColumn,
  type Column,
  countColumn,
  readSort,
  Table,
  timeColumn,
  writeSort,
} from '../../ui/table.tsx';
import { pickAllocations } from './stock-rules.ts';

const WIDE = { isNarrow: false };

const columns: readonly Column<MaskSize>[] = [
  { header: 'Size', cell: ({ name }) => name },
  countColumn('Stock', ({ stock }) => stock, WIDE),
  countColumn('Allocated', ({ allocated }) => allocated, WIDE),
  countColumn('Offered', ({ offered, accepted }) => offered - accepted, WIDE),
  countColumn('Accepted', ({ accepted }) => accepted, WIDE),
  countColumn('Available', ({ available }) => available, WIDE),
  actionColumn('Change', (size) => (
    <ActionButton
      label="Change"
      variant="quiet"
      aria-label={`Change the stock of ${size.name}`}
      dialog={setStock(size)}
    />
  )),
];

export function StockScreen() {
  const query = useRead('GET sizes');
  const sizes = query.data?.sizes;
  return (
    <Screen
      title="Stock"
      note="Masks of each size, and those put aside."
      actions={sizes && <ActionButton label="Allocate" dialog={allocate(sizes)} />}
    >
      <QueryContent query={query} lines={6}>
        {(data) => <Sizes {...data} />}
      </QueryContent>
      <AllocationsSection />
    </Screen>
  );
}

function Sizes({ sizes }: MaskSizes) {
  const sum = (name: 'stock' | 'allocated' | 'offered' | 'available') =>
    formatCount(sizes.reduce((total, size) => total + size[name], 0));
  return (
    <>
      <StatRow label="All sizes">
        <Stat label="Available" value={sum('available')} isCharged />
        <Stat label="Allocated" value={sum('allocated')} />
        <Stat label="Offered" value={sum('offered')} note="with passes" />
        <Stat label="Stock" value={sum('stock')} />
      </StatRow>
      <Section title="Sizes">
        <Table
          label="Sizes"
          columns={useColumns(columns)}
          rows={sizes}
          keyOf={({ name }) => name}
        />
      </Section>
    </>
  );
}

/** The limit is that of contract/operator/changes.ts. */
const STOCK_FIELD = { kind: 'number', max: 1_000_000, isRequired: true } as const;

const allocate = (sizes: readonly MaskSize[]) =>
  changeForm({
    title: 'Allocate masks',
    confirmLabel: 'Allocate',
    fields: {
      size: {
        label: 'Size',
        kind: 'select',
        value: sizes[0]?.name ?? '',
        options: sizes.map(({ name, available }) => ({
          value: name,
          label: `${name} (${available} available)`,
        })),
      },
      quantity: { ...STOCK_FIELD, label: 'Masks', min: 1, value: '1' },
      note: { label: 'For whom', isRequired: true, maxLength: 500, isFirst: true },
    },
    want: { kind: 'allocate-masks', input: {} },
  });

const setStock = ({ name, stock: before }: MaskSize) =>
  changeForm({
    title: `Change the stock of ${name}`,
    confirmLabel: 'Change',
    fields: { stock: { ...STOCK_FIELD, label: 'Stock', value: String(before), isFirst: true } },
    want: ({ stock }) =>
      Number(stock) === before
        ? 'Enter another number.'
        : { kind: 'set-stock', input: { size: name, stock: Number(stock) } },
  });

const allocationColumns: readonly Column<Allocation>[] = [
  { header: 'For', cell: ({ note }) => note },
  { header: 'Size', sortKey: 'size', isNarrow: true, cell: ({ size }) => size },
  countColumn('Masks', ({ quantity }) => quantity, { sortKey: 'quantity' }),
  { header: 'State', isNarrow: true, cell: (allocation) => allocationPill(allocation) },
  timeColumn('Allocated', ({ allocated_at }) => allocated_at, { sortKey: 'allocated_at' }),
];

const STATES = { '': 'All', held: 'Held', released: 'Released' };

function AllocationsSection() {
  const query = useRead('GET allocations');
  const list = useListState();
  const all = query.data?.allocations;
  const sort = readSort(list.get('sort') || '-allocated_at');
  const [text, state] = [list.get('q'), list.get('state')];
  const picked = all && pickAllocations(all, { text, state, sort });
  const opened = all?.find(({ id }) => id === list.get('open'));

  return (
    <Section title="Allocations">
      <FilterBar summary={picked && formatAmount(picked.length, 'allocation')}>
        <SearchField
          label="Search allocations"
          placeholder="Search by note or size"
          {...list.field('q')}
        />
        <Segmented label="State" options={STATES} {...list.field('state')} />
      </FilterBar>
      <QueryList
        query={query}
        list={list}
        label="Allocations"
        columns={allocationColumns}
        rows={picked}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={(chosen) => list.set({ sort: writeSort(chosen) })}
        emptyTitle={all?.length === 0 ? 'No allocations yet' : 'No allocation matches'}
        empty={
          all?.length === 0
            ? 'Masks that are put aside for somebody are listed here.'
            : 'Try other words, or show all.'
        }
      />
      {opened && <AllocationSheet allocation={opened} onClose={list.close} />}
    </Section>
  );
}

function allocationPill({ released_at }: Allocation) {
  return released_at === null ? <Pill tone="charged">Held</Pill> : <Pill>Released</Pill>;
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
      <ActionButton label="Release" isOffered={released_at === null} dialog={release(allocation)} />
    </SideSheet>
  );
}

const release = ({ id, size, quantity }: Allocation) =>
  changeForm({
    title: `Release ${quantity}, ${size}`,
    confirmLabel: 'Release',
    fields: { note: { label: 'Note', isRequired: true, maxLength: 500, isFirst: true } },
    want: { kind: 'release-masks', input: { allocation_id: id } },
  });

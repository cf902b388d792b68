import { useState } from 'react';
import { Button } from '../ui/buttons.tsx';
import { type Column, countColumn, type Sort, timeColumn } from '../ui/columns.tsx';
import { Pill } from '../ui/facts.tsx';
import { SearchField, Select } from '../ui/fields.tsx';
import { Section } from '../ui/frame.tsx';
import { FilterBar, SelectionBar } from '../ui/list-bars.tsx';
import { formatAmount } from '../ui/numbers.ts';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { hoursAgo } from './part-samples.tsx';

const NAMES = [
  'ada@example.com',
  'grace.hopper@mail.example.com',
  'a.rather.long.address.of.somebody@subdomain.example.com',
  'edsger@example.com',
  'katherine@example.com',
  'barbara@example.com',
];
const STATES = [
  ['given', 'charged'],
  ['pending', 'edge'],
  ['refused', 'ember'],
] as const;

const samples = NAMES.map((email, index) => ({
  id: `sample-${index}`,
  email,
  position: index * 2063 + 1,
  friends: index * 7,
  state: STATES[index % 3] ?? STATES[0],
  joinedAt: hoursAgo(index * index * 9 + 0.2),
}));
type Sample = (typeof samples)[number];

const columns: readonly Column<Sample>[] = [
  { header: 'Address', cell: ({ email }) => email },
  countColumn('Position', ({ position }) => position, { sortKey: 'position' }),
  countColumn('Friends', ({ friends }) => friends, { sortKey: 'friends', isMinor: true }),
  {
    header: 'Credit',
    isNarrow: true,
    cell: ({ state: [words, tone] }) => <Pill tone={tone}>{words}</Pill>,
  },
  timeColumn('Joined', ({ joinedAt }) => joinedAt),
];

const table = {
  columns,
  keyOf: ({ id }: Sample) => id,
  nameOf: ({ email }: Sample) => email,
  empty: (
    <EmptyState title="No member matches" action={<Button>Clear the filter</Button>}>
      Try other words.
    </EmptyState>
  ),
};

export function ListSamples() {
  const [text, setText] = useState('');
  const [sort, setSort] = useState<Sort>({ by: 'position', isDescending: false });
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set(['sample-1']));
  return (
    <>
      <Section title="A list">
        <FilterBar
          chips={[
            { label: 'Tier: 2', onRemove() {} },
            { label: 'Source: newsletter', onRemove() {} },
          ]}
          onClear={() => setText('')}
          summary={formatAmount(12_380, 'member')}
        >
          <SearchField
            label="Search members"
            placeholder="Address, code, id or position"
            value={text}
            onSearch={setText}
          />
          <Select label="Tier" isLabelHidden options={{ '': 'All tiers' }} />
        </FilterBar>
        <Table
          {...table}
          label="Members"
          rows={samples.filter(({ email }) => email.includes(text))}
          hrefOf={({ id }) => `/${id}`}
          openKey="sample-3"
          sort={sort}
          onSort={setSort}
          selection={{ keys, onChange: setKeys }}
        />
        {keys.size > 0 && (
          <SelectionBar
            summary={`${formatAmount(keys.size, 'member')} selected`}
            onClear={() => setKeys(new Set())}
          >
            <Button>Export</Button>
            <Button variant="danger">Remove</Button>
          </SelectionBar>
        )}
      </Section>
      <Section title="A list that is loading, stale, empty, failed">
        <div className="sample-stack">
          <Table {...table} label="Loading" rows={undefined} />
          <Table {...table} label="Stale" rows={samples.slice(0, 2)} isStale />
          <Table {...table} label="Empty" rows={[]} />
          <Table
            {...table}
            label="Failed"
            rows={undefined}
            error={<ErrorState message="The server cannot be reached." onRetry={() => {}} />}
          />
        </div>
      </Section>
    </>
  );
}

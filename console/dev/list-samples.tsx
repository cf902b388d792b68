import { useState } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { SearchField } from '../ui/controls/search-field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { EmptyFace, ErrorFace } from '../ui/data/faces.tsx';
import { Pager } from '../ui/data/pager.tsx';
import { Pill } from '../ui/data/pill.tsx';
import { Section } from '../ui/frame/section.tsx';
import { FilterBar } from '../ui/lists/filter-bar.tsx';
import { SelectionBar } from '../ui/lists/selection-bar.tsx';
import { Table } from '../ui/lists/table.tsx';
import type { Column, Sort } from '../ui/lists/table-shape.ts';
import { formatAmount, formatCount } from '../ui/text/numbers.ts';
import { RelativeTime } from '../ui/text/relative-time.tsx';
import { HOUR_MS } from './data-samples.tsx';

type Sample = {
  readonly id: string;
  readonly email: string;
  readonly position: number;
  readonly friends: number;
  readonly state: 'given' | 'pending' | 'refused';
  readonly joinedAt: string;
};

const NAMES = [
  'ada@example.com',
  'grace.hopper@mail.example.com',
  'a.rather.long.address.of.somebody@subdomain.example.com',
  'edsger@example.com',
  'katherine@example.com',
  'barbara@example.com',
];
const STATES = ['given', 'pending', 'refused'] as const;
const TONES = { given: 'charged', pending: 'edge', refused: 'ember' } as const;

const samples: readonly Sample[] = NAMES.map((email, index) => ({
  id: `sample-${index}`,
  email,
  position: index * 2063 + 1,
  friends: index * 7,
  state: STATES[index % 3] ?? 'given',
  joinedAt: new Date(Date.now() - (index * index * 9 + 0.2) * HOUR_MS).toISOString(),
}));

const columns: readonly Column<Sample>[] = [
  { key: 'email', header: 'Address', cell: ({ email }) => email },
  {
    key: 'position',
    header: 'Position',
    align: 'end',
    isNarrow: true,
    isSortable: true,
    cell: ({ position }) => formatCount(position),
  },
  {
    key: 'friends',
    header: 'Friends',
    align: 'end',
    isNarrow: true,
    isSortable: true,
    isMinor: true,
    cell: ({ friends }) => formatCount(friends),
  },
  {
    key: 'state',
    header: 'Credit',
    isNarrow: true,
    cell: ({ state }) => <Pill tone={TONES[state]}>{state}</Pill>,
  },
  {
    key: 'joined',
    header: 'Joined',
    isNarrow: true,
    cell: ({ joinedAt }) => <RelativeTime at={joinedAt} />,
  },
];

const table = {
  columns,
  keyOf: ({ id }: Sample) => id,
  nameOf: ({ email }: Sample) => email,
  empty: (
    <EmptyFace title="No member matches" action={<Button>Clear the filter</Button>}>
      Try other words.
    </EmptyFace>
  ),
};

export function ListSamples() {
  const [text, setText] = useState('');
  const [sort, setSort] = useState<Sort>({ by: 'position', isDescending: false });
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set(['sample-1']));
  const rows = samples.filter(({ email }) => email.includes(text));
  return (
    <>
      <Section title="A list">
        <FilterBar
          search={
            <SearchField
              label="Search members"
              placeholder="Address, code, id or position"
              value={text}
              onSearch={setText}
            />
          }
          controls={
            <Select
              label="Tier"
              isLabelHidden
              options={[
                { value: '', label: 'All tiers' },
                { value: '1', label: 'Tier 1' },
              ]}
              onChange={() => {}}
            />
          }
          chips={[
            { key: 'tier', label: 'Tier: 2', onRemove() {} },
            { key: 'source', label: 'Source: newsletter', onRemove() {} },
          ]}
          onClear={() => setText('')}
          summary={formatAmount(12_380, 'member')}
        />
        <Table
          {...table}
          label="Members"
          rows={rows}
          hrefOf={({ id }) => `/${id}`}
          openKey="sample-3"
          sort={sort}
          onSort={setSort}
          selection={{ keys, onChange: setKeys }}
        />
        <Pager onNewer={null} onOlder={() => {}} summary="1 to 50 of 12,380" />
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
      <Section title="A list on its way, stale, empty, failed">
        <div className="sample-stack">
          <Table {...table} label="On its way" rows={undefined} />
          <Table {...table} label="Stale" rows={samples.slice(0, 2)} isStale />
          <Table {...table} label="Empty" rows={[]} />
          <Table
            {...table}
            label="Failed"
            rows={undefined}
            error={<ErrorFace message="The server cannot be reached." onRetry={() => {}} />}
          />
        </div>
      </Section>
    </>
  );
}

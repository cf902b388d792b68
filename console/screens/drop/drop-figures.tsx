import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { waitingCreditsQuery } from '../../api/credits/credits.ts';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { Stat, StatRow } from '../../ui/data/stat.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { formatAmount, formatCount } from '../../ui/text/numbers.ts';

/** Who takes part, what does not count, and which sizes they want. */
export function DropFigures({ facts }: { facts: DropFacts }) {
  const isOpen = facts.drop.state === 'open';
  return (
    <Section title={isOpen ? 'Before the freeze' : 'Who takes part'}>
      {isOpen ? <OpenFigures facts={facts} /> : <FrozenFigures facts={facts} />}
      <Sizes facts={facts} />
    </Section>
  );
}

function OpenFigures({ facts: { members, sizes } }: { facts: DropFacts }) {
  const waiting = useQuery(waitingCreditsQuery).data?.credits;
  return (
    <>
      <StatRow label="Figures of the line">
        <Stat label="In line" value={formatCount(members)} />
        <Stat label="Masks available" value={formatCount(sumOf(sizes))} isCharged />
        <Stat
          label="Credits that wait"
          value={waiting === undefined ? undefined : formatCount(waiting)}
          note={waiting ? <Link href="/credits">Decide about them</Link> : undefined}
        />
      </StatRow>
      <p className="drop-note quiet">
        A held credit does not count: decide about those that wait before you freeze the line.
      </p>
    </>
  );
}

function FrozenFigures({ facts: { entrants, chosen, drop, following } }: { facts: DropFacts }) {
  const isDrawn = drop.selected_at !== null;
  return (
    <>
      <StatRow label="Figures of the list">
        <Stat label="Entrants" value={formatCount(entrants.entrants)} isCharged />
        <Stat label="Named sizes" value={formatCount(entrants.with_wish)} />
        <Stat label="Held credits" value={formatCount(entrants.held_credits)} />
        {isDrawn && <Stat label="Chosen" value={formatCount(chosen)} />}
        {isDrawn && <Stat label="Follow" value={formatCount(following)} note="without an offer" />}
      </StatRow>
      {entrants.doubted > 0 && (
        <p className="drop-note quiet">
          {formatAmount(entrants.held_credits, 'held credit')} of{' '}
          {formatAmount(entrants.doubted, 'entrant')} did not count.
        </p>
      )}
    </>
  );
}

type SizeRow = {
  readonly size: string;
  readonly available: number;
  readonly given: number | null;
  readonly first: number;
};

const columns: readonly Column<SizeRow>[] = [
  { key: 'size', header: 'Size', cell: ({ size }) => size },
  {
    key: 'available',
    header: 'Available',
    align: 'end',
    cell: ({ available }) => formatCount(available),
  },
];
const given: Column<SizeRow> = {
  key: 'given',
  header: 'Announced',
  align: 'end',
  cell: ({ given }) => (given === null ? '—' : formatCount(given)),
};
const preferred: Column<SizeRow> = {
  key: 'first',
  header: 'Preferred by',
  align: 'end',
  cell: ({ first }) => formatCount(first),
};

function Sizes({ facts: { sizes, wishes, drop } }: { facts: DropFacts }) {
  const rows = sizes.map(({ size, available }) => ({
    size,
    available,
    given: drop.announcement?.masks.find((one) => one.size === size)?.masks ?? null,
    first: wishes.find((one) => one.size === size)?.first ?? 0,
  }));
  return (
    <Table
      label="Sizes"
      columns={drop.state === 'open' ? columns : [...columns, given, preferred]}
      rows={rows}
      keyOf={({ size }) => size}
      nameOf={({ size }) => size}
      empty={<EmptyFace title="No sizes yet">Set the stock of a size first.</EmptyFace>}
    />
  );
}

function sumOf(sizes: DropFacts['sizes']): number {
  return sizes.reduce((sum, { available }) => sum + Math.max(0, available), 0);
}

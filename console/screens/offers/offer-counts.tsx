import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { Stat, StatRow } from '../../ui/data/stat.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { formatCount } from '../../ui/text/numbers.ts';

type SizeCounts = DropFacts['sizes'][number];
type Counted = Exclude<keyof SizeCounts, 'size'>;

const COUNTED: readonly (readonly [Counted, string])[] = [
  ['open', 'Open'],
  ['accepted', 'Accepted'],
  ['redeemed', 'Redeemed'],
  ['declined', 'Declined'],
  ['expired', 'Expired'],
  ['cancelled', 'Cancelled'],
  ['available', 'Available'],
];

/** They take no mask. */
const OVER: readonly Counted[] = ['declined', 'expired', 'cancelled'];

const columns: readonly Column<SizeCounts>[] = [
  { key: 'size', header: 'Size', cell: ({ size }) => size },
  ...COUNTED.map(([key, header]) => ({
    key,
    header,
    align: 'end' as const,
    isMinor: OVER.includes(key),
    cell: (counts: SizeCounts) => formatCount(counts[key]),
  })),
];

/** How the offers stand, over all sizes and in each. */
export function OfferCounts({ facts: { sizes } }: { facts: DropFacts }) {
  const sum = (key: Counted) => formatCount(sizes.reduce((total, size) => total + size[key], 0));
  return (
    <>
      <StatRow label="All sizes">
        {COUNTED.map(([key, header]) => (
          <Stat key={key} label={header} value={sum(key)} isCharged={key === 'accepted'} />
        ))}
      </StatRow>
      <div className="drop-sizes">
        <Table
          label="Offers per size"
          columns={columns}
          rows={sizes}
          keyOf={({ size }) => size}
          nameOf={({ size }) => size}
          empty={<EmptyFace title="No sizes yet">Set the stock of a size first.</EmptyFace>}
        />
      </div>
    </>
  );
}

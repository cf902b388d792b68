import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { MaskSize, MaskSizes } from '../../../contract/operator/masks.ts';
import { QueryFace } from '../../parts/query-face.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { Stat, StatRow } from '../../ui/data/stat.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { formatCount } from '../../ui/text/numbers.ts';
import { StockDialog } from './stock-dialog.tsx';
import { sumStock } from './stock-rules.ts';

const columns: readonly Column<MaskSize>[] = [
  { key: 'name', header: 'Size', cell: ({ name }) => name },
  { key: 'stock', header: 'Stock', align: 'end', cell: ({ stock }) => formatCount(stock) },
  {
    key: 'allocated',
    header: 'Allocated',
    align: 'end',
    cell: ({ allocated }) => formatCount(allocated),
  },
  {
    key: 'offered',
    header: 'Offered',
    align: 'end',
    cell: ({ offered, accepted }) => formatCount(offered - accepted),
  },
  {
    key: 'accepted',
    header: 'Accepted',
    align: 'end',
    cell: ({ accepted }) => formatCount(accepted),
  },
  {
    key: 'available',
    header: 'Available',
    align: 'end',
    cell: ({ available }) => formatCount(available),
  },
];

export function SizesSection({ sizes }: { sizes: UseQueryResult<MaskSizes> }) {
  return (
    <QueryFace query={sizes} lines={6}>
      {(data) => <Sizes {...data} />}
    </QueryFace>
  );
}

function Sizes({ sizes }: MaskSizes) {
  const { available, allocated, offered, stock } = sumStock(sizes);
  const mayWrite = useMayWrite();
  const [changed, setChanged] = useState<MaskSize | null>(null);
  const action: Column<MaskSize> = {
    key: 'change',
    header: 'Change',
    isNarrow: true,
    isAction: true,
    cell: (size) => (
      <Button
        variant="quiet"
        aria-label={`Change the stock of ${size.name}`}
        onClick={() => setChanged(size)}
      >
        Change
      </Button>
    ),
  };
  return (
    <>
      <StatRow label="All sizes">
        <Stat label="Available" value={formatCount(available)} isCharged />
        <Stat label="Allocated" value={formatCount(allocated)} />
        <Stat label="Offered" value={formatCount(offered)} note="with passes" />
        <Stat label="Stock" value={formatCount(stock)} />
      </StatRow>
      <Section title="Sizes">
        <Table
          label="Sizes"
          columns={mayWrite ? [...columns, action] : columns}
          rows={sizes}
          keyOf={({ name }) => name}
          nameOf={({ name }) => name}
          empty={<EmptyFace title="No sizes yet">A size begins with its first stock.</EmptyFace>}
        />
      </Section>
      {changed && <StockDialog size={changed} onClose={() => setChanged(null)} />}
    </>
  );
}

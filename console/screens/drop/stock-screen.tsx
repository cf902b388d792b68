import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MaskSize, MaskSizes } from '../../../contract/operator/masks.ts';
import { sizesQuery } from '../../api/drop.ts';
import { ChangeForm } from '../../parts/change-form.tsx';
import { ActionButton } from '../../parts/changes.tsx';
import { QueryContent } from '../../parts/query-states.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/buttons.tsx';
import { actionColumn, type Column, countColumn } from '../../ui/columns.tsx';
import { Stat, StatRow } from '../../ui/facts.tsx';
import { Section } from '../../ui/frame.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { EmptyState } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { AllocationsSection } from './allocations-section.tsx';
import { readStock, sumStock } from './stock-rules.ts';

const WIDE = { isNarrow: false };

const columns: readonly Column<MaskSize>[] = [
  { header: 'Size', cell: ({ name }) => name },
  countColumn('Stock', ({ stock }) => stock, WIDE),
  countColumn('Allocated', ({ allocated }) => allocated, WIDE),
  countColumn('Offered', ({ offered, accepted }) => offered - accepted, WIDE),
  countColumn('Accepted', ({ accepted }) => accepted, WIDE),
  countColumn('Available', ({ available }) => available, WIDE),
];

export function StockScreen() {
  const query = useQuery(sizesQuery);
  const sizes = query.data?.sizes;
  return (
    <Screen
      title="Stock"
      note="Masks of each size, and those put aside."
      actions={
        sizes && (
          <ActionButton
            label="Allocate"
            dialog={(close) => <AllocateDialog sizes={sizes} onClose={close} />}
          />
        )
      }
    >
      <QueryContent query={query} lines={6}>
        {(data) => <Sizes {...data} />}
      </QueryContent>
      <AllocationsSection />
    </Screen>
  );
}

function Sizes({ sizes }: MaskSizes) {
  const { available, allocated, offered, stock } = sumStock(sizes);
  const mayWrite = useMayWrite();
  const [changed, setChanged] = useState<MaskSize | null>(null);
  const change = actionColumn<MaskSize>('Change', (size) => (
    <Button
      variant="quiet"
      aria-label={`Change the stock of ${size.name}`}
      onClick={() => setChanged(size)}
    >
      Change
    </Button>
  ));
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
          columns={mayWrite ? [...columns, change] : columns}
          rows={sizes}
          keyOf={({ name }) => name}
          empty={<EmptyState title="No sizes yet">A size begins with its first stock.</EmptyState>}
        />
      </Section>
      {changed && <StockDialog size={changed} onClose={() => setChanged(null)} />}
    </>
  );
}

type AllocateDialogProps = { readonly sizes: readonly MaskSize[]; readonly onClose: () => void };

export function AllocateDialog({ sizes, onClose }: AllocateDialogProps) {
  return (
    <ChangeForm
      title="Allocate masks"
      confirmLabel="Allocate"
      fields={{
        size: {
          label: 'Size',
          kind: 'select',
          value: sizes[0]?.name ?? '',
          options: sizes.map(({ name, available }) => ({
            value: name,
            label: `${name} (${available} available)`,
          })),
        },
        quantity: { label: 'Masks', kind: 'number', value: '1' },
        note: { label: 'For whom', maxLength: 500, isFirst: true },
      }}
      want={({ size, ...values }) => {
        const quantity = readStock(values.quantity) ?? 0;
        const note = values.note.trim();
        if (quantity === 0 || note === '') return 'Write how many, and for whom.';
        return { kind: 'allocate-masks', input: { size, quantity, note } };
      }}
      onClose={onClose}
    />
  );
}

type StockDialogProps = { readonly size: MaskSize; readonly onClose: () => void };

export function StockDialog({ size: { name, stock: before }, onClose }: StockDialogProps) {
  return (
    <ChangeForm
      title={`Change the stock of ${name}`}
      confirmLabel="Change"
      fields={{
        stock: { label: 'Stock', kind: 'number', value: String(before), isFirst: true },
      }}
      want={(values) => {
        const stock = readStock(values.stock);
        if (stock === null) return 'Enter a whole number.';
        if (stock === before) return 'Enter another number.';
        return { kind: 'set-stock', input: { size: name, stock } };
      }}
      onClose={onClose}
    />
  );
}

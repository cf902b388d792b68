import { writeAmount } from '../../../contract/operator/drop/price-rules.ts';
import type { Money, PaymentState } from '../../../contract/operator/drop/till.ts';
import { pathOf, useRead } from '../../api/queries.ts';
import { ActionButton } from '../../parts/changes.tsx';
import { ExportFiles } from '../../parts/downloads.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { QueryContent, Screen } from '../../parts/screen.tsx';
import { OFFERS, StatePill, type States, stateColumn } from '../../parts/state-pills.tsx';
import { EmptyState, Section, Stat, StatRow } from '../../ui/facts.tsx';
import { formatAmount, formatCount } from '../../ui/formats.ts';
import { type Column, countColumn, Table, timeColumn } from '../../ui/table.tsx';
import { REFRESH_MS } from './steer-offers.tsx';

export function MoneyScreen() {
  const query = useRead('GET money', { refetchInterval: REFRESH_MS });
  return (
    <Screen
      title="Money"
      note="What was paid for masks, what went back, and where the masks are."
      actions={
        <ExportFiles
          files={[{ name: 'money.csv', path: pathOf('GET exportDrop', { at: ['money'] }) }]}
        />
      }
    >
      <QueryContent query={query} lines={6}>
        {({ sums, holds, masks, rows }) => (
          <>
            <StatRow label="Masks with a pass">
              <Stat label="Passes" value={formatCount(masks.passes)} />
              <Stat label="Paid" value={formatCount(masks.paid)} isCharged />
              <Stat label="Handed over" value={formatCount(masks.handed_over)} />
              <Stat label="Sent" value={formatCount(masks.sent)} />
              {holds.map(({ currency, cards, cents }) => (
                <Stat
                  key={currency}
                  label={`Reserved on ${formatAmount(cards, 'card')}`}
                  value={amount(cents, currency)}
                />
              ))}
            </StatRow>
            <Section title="In sum">
              <Table
                label="Money in sum"
                columns={sumColumns}
                rows={sums}
                keyOf={({ currency, is_live: isLive }) => `${currency} ${isLive}`}
                empty={<EmptyState title="Nothing paid yet">Payments appear here.</EmptyState>}
              />
            </Section>
            <Section title="Each pass and payment">
              <Table
                label="Passes and payments"
                columns={rowColumns}
                rows={rows}
                keyOf={({ payment, member_id, size }) => payment ?? `${member_id} ${size}`}
                empty={<EmptyState title="No passes yet">Accepted offers appear here.</EmptyState>}
              />
            </Section>
          </>
        )}
      </QueryContent>
    </Screen>
  );
}

type Sum = Money['sums'][number];
type Row = Money['rows'][number];

const amount = (cents: number | null, currency: string | null) =>
  cents === null || currency === null ? '—' : `${writeAmount(cents, currency)} ${currency}`;

function amountColumn<One extends { readonly currency: string | null }>(
  header: string,
  centsOf: (sum: One) => number | null,
): Column<One> {
  const cell = (sum: One) => amount(centsOf(sum), sum.currency);
  return { header, align: 'end', isNarrow: true, cell };
}

const sumColumns: readonly Column<Sum>[] = [
  { header: 'Currency', cell: (sum) => sum.currency + (sum.is_live ? '' : ', a test') },
  countColumn('Payments', ({ payments }) => payments),
  amountColumn('Paid', ({ paid_cents: cents }) => cents),
  amountColumn('Refunded', ({ refunded_cents: cents }) => cents),
  amountColumn('Disputed', ({ disputed_cents: cents }) => cents),
  amountColumn('Left', ({ left_cents: cents }) => cents),
];

const STATES: States<PaymentState> = {
  kept: ['Paid', 'charged'],
  to_refund: ['To be refunded', 'edge'],
  refunded: ['Refunded', 'plain'],
  by_hand: ['Settle by hand', 'ember'],
  settled: ['Settled elsewhere', 'plain'],
};

const rowColumns: readonly Column<Row>[] = [
  { header: 'Reference', cell: ({ reference }) => reference ?? 'Not paid' },
  { header: 'Size', isNarrow: true, cell: ({ size }) => size ?? '—' },
  {
    header: 'Pass',
    isNarrow: true,
    cell: ({ pass }) => (pass === null ? '—' : <StatePill states={OFFERS} state={pass} />),
  },
  amountColumn('Paid', ({ cents }) => cents),
  amountColumn('Refunded', ({ refunded_cents: cents }) => cents || null),
  amountColumn('Disputed', ({ disputed_cents: cents }) => cents || null),
  stateColumn(STATES),
  timeColumn('Given', ({ handed_at, sent_at }) => handed_at ?? sent_at),
  {
    header: 'Why',
    cell: (row) =>
      row.why !== null && (
        <div className="money-why">
          {row.why}
          {row.state === 'by_hand' && <SettleButton row={row} />}
        </div>
      ),
  },
];

const SettleButton = ({ row: { payment, reference } }: { row: Row }) => (
  <ActionButton
    label="Settle"
    dialog={changeForm({
      title: `Settle ${reference} elsewhere`,
      confirmLabel: 'Settled',
      undoNote: 'It then counts as settled for good. Cancel the pass instead if no mask is owed.',
      fields: { note: { label: 'How you settled it', isRequired: true, maxLength: 500 } },
      want: { kind: 'settle-payment', input: { payment: payment ?? '' } },
    })}
  />
);

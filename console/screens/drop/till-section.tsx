import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { writeAmount } from '../../../contract/operator/drop/price-rules.ts';
import type { TillTest, TillView } from '../../../contract/operator/drop/till.ts';
import { TILLS } from '../../../contract/operator/drop/tills.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { post, read } from '../../api/queries.ts';
import { messageOf } from '../../api/request.ts';
import { ActionButton, useMayWrite } from '../../parts/changes.tsx';
import { QueryContent } from '../../parts/screen.tsx';
import { Button } from '../../ui/buttons.tsx';
import {
  CodeText,
  KeyValues,
  Pill,
  RelativeTime,
  Section,
  Stat,
  StatRow,
} from '../../ui/facts.tsx';
import { formatCount } from '../../ui/formats.ts';
import { type Column, Table } from '../../ui/table.tsx';
import { REFRESH_MS } from './steer-offers.tsx';
import { tillForm } from './till-form.ts';

const TEST_TIMEOUT_MS = 60_000;

export function TillSection() {
  const query = useQuery(read<TillView>(operatorPaths.till, REFRESH_MS));
  const mayWrite = useMayWrite();
  const test = useMutation({
    mutationFn: () => post<TillTest>(operatorPaths.testTill, undefined, TEST_TIMEOUT_MS),
    onSettled: () => query.refetch(),
  });
  return (
    <Section
      title="Till"
      note={query.data && `Passes are paid by: ${TILLS[query.data.kind]}`}
      actions={
        <>
          {mayWrite && (
            <Button isBusy={test.isPending} onClick={() => test.mutate()}>
              Test the till
            </Button>
          )}
          {query.data && <ActionButton label="Choose the till" dialog={tillForm(query.data)} />}
        </>
      }
    >
      <div role="status">
        {test.error && <p className="drop-note">{messageOf(test.error)}</p>}
        {test.data && (
          <Table
            label="What the test found"
            columns={findingColumns}
            rows={test.data.findings}
            keyOf={({ sentence }) => sentence}
          />
        )}
      </div>
      <QueryContent query={query} lines={3}>
        {(till) => <TillFigures till={till} />}
      </QueryContent>
    </Section>
  );
}

type Finding = TillTest['findings'][number];

const findingColumns: readonly Column<Finding>[] = [
  { header: 'What the test found', cell: ({ sentence }) => sentence },
  {
    header: 'State',
    isNarrow: true,
    cell: ({ is_good: isGood }) => (
      <Pill tone={isGood ? 'charged' : 'ember'}>{isGood ? 'Good' : 'To mend'}</Pill>
    ),
  },
];

function TillFigures({ till }: { till: TillView }) {
  const { link, stripe, shopify, checkouts, overdue, failing, failure } = till;
  const { kind, notices_url: url } = till;
  const hasCheckouts = Object.values(checkouts).some((count) => count > 0);
  return (
    <>
      {(hasCheckouts || kind !== 'link') && (
        <StatRow label="Checkouts of passes">
          <Stat label="Not made yet" value={formatCount(checkouts.wanted)} />
          <Stat label="To be paid" value={formatCount(checkouts.created)} />
          <Stat label="Paid" value={formatCount(checkouts.paid)} isCharged />
          <Stat label="Not paid in time" value={formatCount(checkouts.expired)} />
          {overdue > 0 && <Stat label="Past their pay-by time" value={formatCount(overdue)} />}
        </StatRow>
      )}
      <KeyValues
        entries={{
          Link: link && (link.url ?? null),
          Price: stripe && `${writeAmount(stripe.cents, stripe.currency)} ${stripe.currency}`,
          Shop: shopify && `${shopify.shop}, product ${shopify.product}`,
          Account: till.account ? describeAccount(till) : undefined,
          'Webhook calls': url ? (
            <CodeText label="the address of the webhook" value={url} />
          ) : undefined,
          'Failed calls': failing > 0 ? formatCount(failing) : undefined,
          'Last failure': failure ?? undefined,
          'Without keys': till.keyless.join(' ') || undefined,
          'Payments by hand':
            till.by_hand > 0 ? (
              <Link href="/money">{`Settle ${formatCount(till.by_hand)}`}</Link>
            ) : undefined,
          Compared: till.compared_at ? <RelativeTime at={till.compared_at} /> : undefined,
        }}
      />
    </>
  );
}

const describeAccount = ({ account, is_live: isLive }: TillView) =>
  isLive ? account : `${account}, a test: no money moves`;

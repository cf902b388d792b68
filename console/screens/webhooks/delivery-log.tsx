import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { WebhookDelivery } from '../../../contract/operator/webhooks/webhooks.ts';
import { deliveriesQuery, replayDelivery } from '../../api/webhooks.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { Pill } from '../../ui/data/pill.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';

type DeliveryLogProps = {
  readonly endpointId: string;
  readonly canReplay: boolean;
  readonly onReplayed: (attempt: WebhookDelivery) => Promise<void>;
  readonly onFailed: (error: Error) => void;
};

const columns: readonly Column<WebhookDelivery>[] = [
  { key: 'kind', header: 'Event', cell: ({ kind }) => kind },
  { key: 'at', header: 'Happened', cell: ({ happened_at }) => <RelativeTime at={happened_at} /> },
  { key: 'state', header: 'State', cell: (delivery) => <DeliveryPill of={delivery} /> },
  { key: 'what', header: 'Answer', cell: describeAnswer },
];

/** What was sent, newest first. */
export function DeliveryLog({ endpointId, canReplay, onReplayed, onFailed }: DeliveryLogProps) {
  const log = useInfiniteQuery(deliveriesQuery(endpointId));
  const replay = useMutation({
    mutationFn: replayDelivery,
    onSuccess: onReplayed,
    onError: onFailed,
  });
  const replayColumn: Column<WebhookDelivery> = {
    key: 'replay',
    header: 'Once more',
    isNarrow: true,
    isAction: true,
    cell: ({ id, kind }) => (
      <Button
        variant="quiet"
        aria-label={`Replay ${kind}`}
        isBusy={replay.isPending && replay.variables === id}
        onClick={() => replay.mutate(id)}
      >
        Replay
      </Button>
    ),
  };

  return (
    <Section title="Deliveries" note="Of the last 7 days.">
      <StaleNotice query={log} />
      <Table
        label="Deliveries"
        columns={canReplay ? [...columns, replayColumn] : columns}
        rows={log.data?.pages.flatMap(({ entries }) => entries)}
        keyOf={({ id }) => id}
        nameOf={({ kind }) => kind}
        error={errorFaceOf(log)}
        empty={
          <EmptyFace title="Nothing was sent yet">
            {canReplay && 'Send a test event to try it.'}
          </EmptyFace>
        }
      />
      {log.hasNextPage && (
        <Button onClick={() => log.fetchNextPage()} isBusy={log.isFetchingNextPage}>
          Show older
        </Button>
      )}
    </Section>
  );
}

function DeliveryPill({ of: { state } }: { of: WebhookDelivery }) {
  if (state === 'delivered') return <Pill tone="charged">Delivered</Pill>;
  return state === 'waiting' ? (
    <Pill tone="edge">Waiting</Pill>
  ) : (
    <Pill tone="ember">Given up</Pill>
  );
}

/** "Status 200 in 34 ms: thanks", or why there was none. */
function describeAnswer({ status, cause, answer, duration_ms, attempts }: WebhookDelivery): string {
  if (attempts === 0) return '';
  const what = cause ?? `status ${status}`;
  const tries = attempts > 1 ? `, ${attempts} attempts` : '';
  return `${what} in ${duration_ms} ms${tries}${answer ? `: ${answer.slice(0, 80)}` : ''}`;
}

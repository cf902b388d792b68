import type { WebhookEndpoint } from '../../../contract/operator/webhooks/webhooks.ts';
import { Pill } from '../../ui/data/pill.tsx';

export function EndpointPill({ of: { is_on, failing_since } }: { of: WebhookEndpoint }) {
  if (!is_on) return <Pill>Off</Pill>;
  return failing_since === null ? (
    <Pill tone="charged">On</Pill>
  ) : (
    <Pill tone="ember">Failing</Pill>
  );
}

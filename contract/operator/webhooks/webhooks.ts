import { type Static, Type } from 'typebox';
import {
  After,
  IntegerOrNull,
  Next,
  Nullable,
  NullableText,
  Reason,
  Text,
  TextOrNull,
} from '../../fields.ts';
import { EVENTS, type EventKind } from './events.ts';

export const EVENT_KINDS = Object.keys(EVENTS) as EventKind[];

export const TEST_KIND = 'webhook.test';

const Events = Type.Array(Type.Enum(EVENT_KINDS), {
  minItems: 1,
  maxItems: EVENT_KINDS.length,
  uniqueItems: true,
});
const Url = Text(2048);
export const AddEndpointRequest = Type.Object({ url: Url, events: Events, reason: Reason });

export const EditEndpointRequest = Type.Object({
  url: Url,
  events: Events,
  is_on: Type.Boolean(),
  reason: Reason,
});

export const EndpointReason = Type.Object({ reason: Reason });

/** Without the path of the URL, which often holds a secret. */
export const WebhookEndpoint = Type.Object({
  id: Type.String(),
  origin: Type.String({ description: 'Scheme and host of the URL' }),
  events: Type.Array(Type.Enum(EVENT_KINDS)),
  is_on: Type.Boolean(),
  off_reason: TextOrNull('Why the server switched it off'),
  created_at: Type.String(),
  failing_since: TextOrNull('Null: the last attempt succeeded'),
  failures: Type.Integer({ description: 'Failed attempts since the last success' }),
  next_attempt_at: TextOrNull('Of what waits, after failures; null: with the next event'),
  waiting: Type.Integer({ description: 'Events that are tried, or tried again' }),
  old_secret_until: TextOrNull('Until then the previous secret signs, too'),
});
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const WebhookEndpoints = Type.Object({ endpoints: Type.Array(WebhookEndpoint) });

export const WholeEndpoint = Type.Object({ ...WebhookEndpoint.properties, url: Type.String() });
export type WholeEndpoint = Static<typeof WholeEndpoint>;

export const EndpointWithSecret = Type.Object({
  ...WholeEndpoint.properties,
  secret: Type.String({ description: 'whsec_...: shown this once' }),
});
export type EndpointWithSecret = Static<typeof EndpointWithSecret>;

const DELIVERY_STATES = ['waiting', 'delivered', 'given_up'] as const;

export const WebhookDelivery = Type.Object({
  id: Type.String(),
  event_id: Type.String({ description: 'The header webhook-id' }),
  kind: Type.String(),
  member_id: NullableText,
  happened_at: Type.String(),
  state: Type.Enum(DELIVERY_STATES),
  attempts: Type.Integer(),
  last_attempt_at: NullableText,
  next_attempt_at: NullableText,
  status: IntegerOrNull('Of the last answer; null: there was none'),
  cause: TextOrNull('Why the last attempt failed'),
  answer: TextOrNull('The first characters of the last answer, without addresses'),
  duration_ms: Nullable(Type.Integer()),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const DeliveryPageRequest = Type.Object({
  after: After({ maxLength: 100 }),
  state: Type.Optional(Type.Enum(DELIVERY_STATES)),
});

export const WebhookDeliveries = Type.Object({
  entries: Type.Array(WebhookDelivery, { description: 'Newest first' }),
  next: Next,
});
export type WebhookDeliveries = Static<typeof WebhookDeliveries>;

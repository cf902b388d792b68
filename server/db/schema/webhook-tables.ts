/** The tables of 0005-webhooks.sql and 0025-offer-events.sql, as in tables.ts. */
import type { Generated } from 'kysely';

export type WebhookTables = {
  line_event: LineEventTable;
  offer_event: OfferEventTable;
  webhook_endpoint: WebhookEndpointTable;
  webhook_delivery: WebhookDeliveryTable;
};

type LineEventTable = {
  sequence: number;
  kind: string;
  happened_at: Date;
  member_ids: string[];
  referrer_ids: string[] | null;
  referral_counts: number[] | null;
  offer_id: string | null;
};

type OfferEventTable = {
  id: number;
  kind: string;
  happened_at: Generated<Date>;
  offer_id: string;
  member_id: string;
};

type WebhookEndpointTable = {
  id: Generated<string>;
  url: string;
  events: string[];
  is_on: Generated<boolean>;
  created_at: Generated<Date>;
  secret_number: Generated<number>;
  old_secret_until: Date | null;
  off_reason: string | null;
  next_sequence: number;
  next_ordinal: Generated<number>;
  failures: Generated<number>;
  failing_since: Date | null;
  retry_at: Date | null;
  held_by: string | null;
  held_until: Generated<Date>;
};

type WebhookDeliveryTable = {
  id: Generated<string>;
  endpoint_id: string;
  event_id: string;
  kind: string;
  happened_at: Date;
  sequence: number;
  ordinal: number;
  member_id: string | null;
  friend_id: string | null;
  referral_count: number | null;
  offer_id: string | null;
  state: Generated<'waiting' | 'delivered' | 'given_up'>;
  created_at: Generated<Date>;
  attempts: Generated<number>;
  first_attempt_at: Date | null;
  last_attempt_at: Date | null;
  next_at: Generated<Date>;
  status: number | null;
  cause: string | null;
  answer: string | null;
  duration_ms: number | null;
};

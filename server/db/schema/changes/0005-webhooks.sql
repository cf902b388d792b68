-- Where events are sent to, as the owner set it up.
create table webhook_endpoint (
  id uuid primary key default gen_random_uuid(),
  url text not null,
  events text[] not null,
  is_on boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  -- Secrets are derived from the secret key, the id and this number: none is stored.
  secret_number integer not null default 1,
  old_secret_until timestamptz, -- the secret before signs too, until then
  off_reason text, -- a sentence, where the server switched it off
  -- The next event that is not a delivery yet.
  next_sequence bigint not null,
  next_ordinal integer not null default 0,
  failures integer not null default 0, -- attempts since the last success
  failing_since timestamptz,
  retry_at timestamptz, -- nothing is sent before, once too many attempts failed
  -- One server at a time delivers to an endpoint.
  held_by uuid,
  held_until timestamptz not null default '-infinity'
);

-- What happened to members: one row for a batch of joins. Written in its transaction, and only
-- while an endpoint wants to know. Ids alone, so that nothing outlives a member who is erased.
create table line_event (
  sequence bigint primary key, -- drawn under the line lock, so the order of committing
  kind text not null, -- joined, credited or left: see record_event
  happened_at timestamptz not null,
  member_ids uuid[] not null,
  referrer_ids uuid[], -- who was credited for each; null for nobody
  referral_counts integer[] -- how many credits that was for them
);

-- The kinds that are recorded. In the row that every join reads and locks anyway.
alter table line_state add column recorded_events text[] not null default '{}';

-- One event for one endpoint: the queue while it waits, the log afterwards.
create table webhook_delivery (
  id uuid primary key default gen_random_uuid(),
  endpoint_id uuid not null references webhook_endpoint on delete cascade,
  event_id text not null, -- the webhook-id, the same in every attempt and replay
  kind text not null,
  happened_at timestamptz not null,
  sequence bigint not null, -- of line_event; 0 for a test
  ordinal integer not null,
  member_id uuid, -- null for a test
  friend_id uuid,
  referral_count integer,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'given_up')),
  created_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  next_at timestamptz not null default '-infinity',
  -- Of the last attempt.
  status integer,
  cause text,
  answer text, -- its first characters, without addresses
  duration_ms integer
);
create index webhook_delivery_waiting on webhook_delivery (endpoint_id, sequence, ordinal)
  where state = 'waiting';
create index webhook_delivery_of_member on webhook_delivery (endpoint_id, member_id)
  where state = 'waiting';
create index webhook_delivery_log on webhook_delivery (endpoint_id, created_at, id);

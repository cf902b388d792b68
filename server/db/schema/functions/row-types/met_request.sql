-- A request to join and what it meets in the line.
create type met_request as (
  ordinal integer,
  id uuid,
  email text,
  email_identity text,
  referral_code text,
  key_hash uuid,
  request_hash uuid,
  source integer, -- its place among the sources of the batch; null: nothing is known
  referrer_id uuid,
  known_id uuid, -- the member with the address
  kept_id uuid, -- the member who joined with the same Idempotency-Key in the last 24 hours
  kept_request_hash uuid
);

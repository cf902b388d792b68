-- A request to join, what it meets in the line, and the member that it makes.
create type met_request as (
  ordinal integer,
  id uuid,
  email_identity text,
  referral_code text,
  key_hash uuid,
  request_hash uuid,
  source integer, -- its index in the sources of the batch; null: nothing is known
  referrer_id uuid,
  known_id uuid, -- the member with the address
  kept_id uuid, -- the member who joined with the same Idempotency-Key in the last 24 hours
  is_repeated boolean, -- whether they joined by the same request
  sequence bigint, -- the member's; null, like the sort key, if the request makes none
  sort_key bigint
);

-- A member about to join.
create type drafted_member as (
  id uuid,
  sequence bigint,
  sort_key bigint,
  email text,
  email_identity text,
  referral_code text,
  key_hash uuid,
  request_hash uuid,
  source integer,
  referrer_id uuid,
  ordinal integer
);

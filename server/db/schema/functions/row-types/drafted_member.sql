-- A member about to join.
create type drafted_member as (
  ordinal integer,
  sequence bigint,
  sort_key bigint,
  source integer,
  referrer_id uuid,
  member member -- as in met_request
);

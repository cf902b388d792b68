-- How often what was asked within a window of time, of all servers together. The key is a keyed hash, so that a row names nobody; a row
-- is deleted when the window after its own has ended.
create table limit_count (
  rule text not null,
  key text not null,
  began_at timestamptz not null,
  count integer not null,
  expires_at timestamptz not null,
  settled_at timestamptz not null default clock_timestamp(),
  primary key (rule, key, began_at)
);

-- What a join told about where it came from, as hashes under a key, for 30 days. No backup has it.

-- A key is derived from the salt and the secret key of the servers: without its row, the hashes
-- mean nothing.
create table trace_key (
  id integer primary key,
  salt bytea not null,
  created_at timestamptz not null default clock_timestamp()
);

-- Of members who joined by the form or the API. Without a reference to the member, which would be
-- checked for every join: forget_left deletes the traces of those who leave.
create table join_trace (
  member_id uuid primary key, -- version 7: in the order of joining
  key_id integer not null,
  server integer not null, -- which process wrote it
  narrow integer not null, -- the IPv4 address or the /64; 0: not known, like the next ones
  wide integer not null, -- the /24 or the /48
  hints integer not null, -- what the browser tells of itself
  flags integer not null -- bits of Flag in join-memory.ts
);

-- Networks that an operator trusts: they speak against nobody.
create table trusted_network (
  key_id integer not null,
  narrow integer not null,
  since timestamptz not null default clock_timestamp(),
  primary key (key_id, narrow)
);

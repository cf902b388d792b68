-- The members whose status page is open somewhere: only their moves are announced. Without a log,
-- since servers enter their pages again after a crash or a failover.
create unlogged table live_server (
  id uuid primary key,
  seen_at timestamptz not null default clock_timestamp()
);

create unlogged table live_member (
  member_id uuid not null,
  server_id uuid not null references live_server on delete cascade,
  primary key (member_id, server_id)
);
create index live_member_server on live_member (server_id);

-- Stock and allocations are counted when asked: there are a hundred masks, not a million.

create table mask_size (
  name text primary key,
  ordinal integer not null,
  stock integer not null check (stock >= 0)
);

create table allocation (
  id uuid primary key default gen_random_uuid(),
  size text not null references mask_size,
  quantity integer not null check (quantity > 0),
  note text not null,
  allocated_at timestamptz not null default clock_timestamp(),
  released_at timestamptz,
  release_note text,
  constraint allocation_release_has_note check ((released_at is null) = (release_note is null))
);

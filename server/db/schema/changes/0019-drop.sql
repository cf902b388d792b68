-- Launch day. One row for each drop; pages, operators and servers mean the one with the highest
-- number. Whoever moves it from one state to the next holds the lock on the sizes.
create table mask_drop (
  number integer primary key check (number > 0),
  state text not null default 'open'
    check (state in ('open', 'frozen', 'selected', 'offering', 'closed')),
  -- When the steps are planned, as operators entered it; the site shows it once it is published.
  time_zone text not null default 'UTC',
  freeze_at timestamptz,
  draw_at timestamptz,
  offers_at timestamptz,
  close_at timestamptz,
  is_schedule_public boolean not null default false,
  -- Frozen: the order of the line, published as a list with this hash.
  frozen_at timestamptz,
  salt text, -- hexadecimal, of the tickets
  list_hash text,
  -- Announced: who is going to be chosen, and which randomness decides. Never changed afterwards.
  announced_at timestamptz,
  announcement jsonb,
  announcement_hash text,
  -- The signature of the round, or the seed, which is secret until the state is "selected".
  evidence text,
  selected_at timestamptz,
  -- Offering: how long an offer stands, and when of the day none is made.
  offering_at timestamptz,
  offer_minutes integer not null default 720 check (offer_minutes > 0),
  quiet_from text, -- "22:00" in the time zone, like quiet_until
  quiet_until text,
  -- Members before this sequence were told that they were not chosen; null: nobody yet.
  others_told_until bigint,
  closed_at timestamptz,
  constraint mask_drop_whole_list check (
    (state = 'open') = (frozen_at is null)
    and (frozen_at is null) = (list_hash is null) and (frozen_at is null) = (salt is null)),
  constraint mask_drop_whole_announcement check (
    (announced_at is null) = (announcement is null)
    and (announced_at is null) = (announcement_hash is null)),
  constraint mask_drop_announced_first check (
    state not in ('selected', 'offering') or (announced_at is not null and selected_at is not null))
);
insert into mask_drop (number) values (1);

-- The sizes that a member takes, the preferred one first. No row: any size.
create table size_wish (
  member_id uuid primary key references member on delete cascade,
  sizes text[] not null,
  takes_any boolean not null, -- of the other sizes, once those are gone
  wished_at timestamptz not null default clock_timestamp(),
  constraint size_wish_takes_some check (takes_any or cardinality(sizes) > 0)
);

-- The frozen list, and what the draw made of it. Without a reference to the member: the list stays
-- as it was published when somebody leaves, and a UUID alone tells nothing about them.
create table entrant (
  drop_number integer not null references mask_drop on delete cascade,
  position bigint not null check (position > 0),
  member_id uuid not null,
  points integer not null,
  held_credits integer not null, -- for operators: they did not count
  sizes text[] not null,
  takes_any boolean not null,
  -- Once selected: in this order masks are offered, to the first ones in this size.
  draw_order integer,
  chosen_size text,
  primary key (drop_number, position),
  constraint entrant_once unique (drop_number, member_id),
  constraint entrant_ordered_once unique (drop_number, draw_order),
  constraint entrant_chosen_in_order check (chosen_size is null or draw_order is not null)
);

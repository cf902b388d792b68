-- What the overview is made of: counts per quarter of an hour, of which the hours and days of every
-- time zone consist. No row is about a visitor.

-- Page loads by people.
create table visit_count (
  quarter timestamptz not null,
  page text not null check (page in ('landing', 'invite')),
  source_id integer not null,
  visits integer not null check (visits > 0),
  primary key (quarter, page, source_id)
);

-- What servers refused, asked for and sent: see counters.ts.
create table event_count (
  quarter timestamptz not null,
  event text not null,
  events integer not null check (events > 0),
  primary key (quarter, event)
);

-- Members by when they joined, also those who have left.
create table join_count (
  quarter timestamptz not null,
  source_id integer not null,
  joins integer not null,
  invited integer not null,
  primary key (quarter, source_id)
);

-- What became of the invites of the members who joined in a quarter.
create table cohort_count (
  quarter timestamptz primary key,
  shared integer not null default 0, -- members whose invite link was opened
  friends integer not null default 0, -- who joined by their invites
  with_friend integer not null default 0 -- members who brought one or more
);

-- Minutes from a member's join to their first friend's: see wait_minutes_of.
create table friend_wait (
  minutes integer primary key,
  members integer not null
);

-- Members whose invite link was opened.
create table opened_invite (
  member_id uuid primary key,
  has_friend boolean not null
);

-- Members before it are counted. Locked by all that writes the last four tables, after the line.
create table join_cursor (
  is_only_row boolean primary key default true check (is_only_row),
  next_sequence bigint not null default 1
) with (fillfactor = 10);
insert into join_cursor default values;

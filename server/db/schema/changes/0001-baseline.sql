-- Every table of the waitlist. Functions, triggers and types stand in ../functions.

-- One row: how the line is ordered, and how long it is. Locking it is "the line lock": every writer
-- of members takes it first, so the order of joining is the order of committing, on any node.
create table line_state ( -- not "line", which is a type of PostgreSQL
  is_only_row boolean primary key default true check (is_only_row),
  rule text not null,
  per_join bigint not null check (per_join > 0),
  per_credit bigint not null check (per_credit > 0),
  per_invite bigint not null check (per_invite > 0),
  -- Widths of the counted ranges, narrowest first; the last holds all keys.
  bucket_shifts integer[] not null check (cardinality(bucket_shifts) between 2 and 7),
  total bigint not null default 0 check (total >= 0),
  next_sequence bigint not null default 1,
  last_joined_at timestamptz not null default '-infinity'
) with (fillfactor = 10); -- rewritten by every batch: leaves room to do so within its page

-- What stays of a member. Text is compared as bytes: by equality alone.
create table member (
  id uuid primary key, -- version 7: new ids enter the index at one end
  sequence bigint not null check (sequence between 1 and 4294967295),
  joined_at timestamptz not null,
  join_position bigint not null check (join_position > 0), -- as answered to the join
  key_hash uuid, -- of the join's Idempotency-Key
  request_hash uuid not null, -- of the join's body
  confirmed_at timestamptz, -- null: the address was never proved to be theirs
  referrer_id uuid,
  is_invited boolean not null,
  credit text not null default 'none', -- that the referrer gets for them; only "given" counts
  email text not null,
  email_identity text collate "C" not null unique,
  referral_code text collate "C" not null unique,
  constraint member_not_own_referrer check (referrer_id <> id),
  constraint member_invited_by_referrer check (is_invited or referrer_id is null),
  constraint member_credit_state check (credit in ('none', 'pending', 'held', 'given', 'refused')),
  constraint member_credit_needs_referrer check ((credit = 'none') = (referrer_id is null))
);
create index member_referrer on member (referrer_id) where referrer_id is not null;
create index member_pending_credit on member (referrer_id) where credit = 'pending';
create index member_key on member (key_hash) where key_hash is not null;

-- What moves: narrow, because a credit writes a new version of the row and of its two index
-- entries.
create table standing (
  member_id uuid not null,
  sort_key bigint not null unique check (sort_key between -4503599627370496 and 4503599627370495),
  referral_count integer not null default 0 check (referral_count >= 0),
  primary key (member_id) include (sort_key, referral_count) -- a status read needs the index alone
);

-- Members per range of sort keys. A row counts up to 256 buckets of 2^shift keys as a Fenwick tree:
-- entry i of "sums" covers as many slots up to the i-th as the lowest set bit of i says; the last
-- covers all.
create table count_node (
  node bigint primary key, -- see node_of
  shift integer not null,
  sums integer[] not null check (sums[cardinality(sums)] > 0)
) with (fillfactor = 30); -- room for new versions of the rows that every batch writes

-- How many members have each referral count above 0.
create table referral_tally (
  referral_count integer primary key check (referral_count > 0),
  members bigint not null check (members > 0)
) with (fillfactor = 50);

-- Stock and allocations are counted when asked: there are a hundred masks, not a million.
create table mask_size (
  name text primary key,
  ordinal integer not null,
  stock integer not null check (stock >= 0)
);

create table allocation (
  id uuid primary key default gen_random_uuid(),
  size text not null, -- no reference: the records of a removed size stay
  quantity integer not null check (quantity > 0),
  note text not null,
  allocated_at timestamptz not null default clock_timestamp(),
  released_at timestamptz,
  release_note text,
  constraint allocation_release_has_note check ((released_at is null) = (release_note is null))
);

-- The mails of a batch of joins, until they are moved to pg-boss: one row where the queue wants one
-- a mail. Written with the joins and moved in one transaction, so each mail is queued once.
create table mail_outbox (
  first_sequence bigint primary key,
  kind text not null,
  member_ids uuid[] not null
);

-- When each member was last mailed their status link.
create table status_link_sent (
  member_id uuid primary key references member on delete cascade,
  sent_at timestamptz not null
);

-- What each member was last told, so that nothing is told twice and nothing too often.
create table notification_state (
  member_id uuid primary key references member on delete cascade,
  referral_count integer not null default 0, -- tiers of so many referrals are told, too
  friends_notified_at timestamptz,
  tier_level integer not null default 0,
  top100_notified_at timestamptz
);

-- Members credited since their last notification, or with one that must wait until due_after.
create table notification_due (
  member_id uuid primary key,
  due_after timestamptz not null default '-infinity'
);
create index notification_due_after on notification_due (due_after);

-- Members last told that they are in the top 100.
create table top100_notified (
  member_id uuid primary key references member on delete cascade
);

-- The next sequence when the top 100 was last compared: later members know their position from the
-- join.
create table top100_cursor (
  is_only_row boolean primary key default true check (is_only_row),
  next_sequence bigint not null default 1
) with (fillfactor = 10);
insert into top100_cursor default values;

-- Addresses that get no mail, as keyed hashes. Kept when the member has left.
create table mail_suppression (
  address_hash text primary key,
  reason text not null check (reason in ('stopped', 'bounced', 'complained')),
  since timestamptz not null default clock_timestamp(),
  member_id uuid -- who has the address, as long as they are in line; null if that was never noticed
);
create index mail_suppression_since on mail_suppression (since, address_hash);
create index mail_suppression_member on mail_suppression (member_id) where member_id is not null;

-- When the next mail may leave, whichever server sends it.
create table mail_pace (
  is_only_row boolean primary key default true check (is_only_row),
  next_at timestamptz not null default '-infinity',
  reserved_at timestamptz not null default '-infinity' -- ahead of the clock once that was set back
) with (fillfactor = 10);
insert into mail_pace default values;

-- The fingerprint by which servers notice that they have different secret keys.
create table secret_check (
  is_only_row boolean primary key default true check (is_only_row),
  fingerprint text not null
);

-- Rate limits of all servers together. The key is a keyed hash, so a row names nobody.
create table limit_count (
  rule text not null,
  key text not null,
  began_at timestamptz not null,
  count integer not null,
  expires_at timestamptz not null,
  settled_at timestamptz not null default clock_timestamp(),
  primary key (rule, key, began_at)
);

-- Every table of the waitlist. Functions, triggers and types stand in ../functions.
-- Text that is compared by equality alone has the collation "C".

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
  last_joined_at timestamptz not null default '-infinity',
  recorded_events text[] not null default '{}', -- kinds; every join reads and locks this row anyway
  pause_message text, -- shown to visitors while joining is paused
  paused_at timestamptz,
  constraint line_state_whole_pause check ((pause_message is null) = (paused_at is null))
) with (fillfactor = 10); -- rewritten by every batch: leaves room to do so within its page

-- What stays of a member.
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
  source_id integer, -- null: unknown; sources are never deleted, so no reference is checked
  point_adjustment integer not null default 0, -- points that an operator gave or took
  mailbox uuid, -- generated when an operator corrects the address: voids links mailed before
  constraint member_not_own_referrer check (referrer_id <> id),
  constraint member_invited_by_referrer check (is_invited or referrer_id is null),
  constraint member_credit_state check (credit in ('none', 'pending', 'held', 'given', 'refused')),
  constraint member_credit_needs_referrer check ((credit = 'none') = (referrer_id is null)),
  constraint member_small_adjustment check (point_adjustment between -10000 and 10000)
);
-- The friends of a member in order of joining: one page, however many there are.
create index member_referrer on member (referrer_id, sequence) where referrer_id is not null;
create index member_pending_credit on member (referrer_id) where credit = 'pending';
create index member_key on member (key_hash) where key_hash is not null;
-- A status page counts the held credits of a member.
create index member_held_credit on member (referrer_id) where credit = 'held';
-- The operator's list of members walks by these: decision 0064. New members enter both at one end.
create index member_sequence on member (sequence);
create index member_joined on member (joined_at, sequence);
-- Few members, which the list looks up one by one. Most joins write none of these.
create index member_doubtful_credit on member (credit) where credit in ('held', 'refused');
create index member_source on member (source_id) where source_id is not null;
create index member_confirmed on member (confirmed_at) where confirmed_at is not null;

-- What moves: narrow, because a credit writes a new version of the row and of its two index
-- entries.
create table standing (
  member_id uuid not null,
  sort_key bigint not null unique check (sort_key between -4503599627370496 and 4503599627370495),
  referral_count integer not null default 0 check (referral_count >= 0),
  primary key (member_id) include (sort_key, referral_count) -- a status read needs the index alone
);
-- Most referrals first, and of equal ones the first in line.
create index standing_referrals on standing ((-referral_count), sort_key);

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

-- The people who run the waitlist. One of them at least is an owner: keep_an_owner sees to it.
create table operator (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  email_identity text not null unique,
  name text not null,
  role text not null check (role in ('owner', 'viewer')),
  created_at timestamptz not null default clock_timestamp()
);

-- Used once: links that sign in, and challenges of passkeys. Only the SHA-256 is stored.
create table one_time_secret (
  secret_hash text primary key,
  purpose text not null check (purpose in ('link', 'passkey', 'new_passkey')),
  operator_id uuid references operator on delete cascade, -- null: nobody is known yet
  expires_at timestamptz not null
);
create index one_time_secret_operator on one_time_secret (operator_id);
create index one_time_secret_expiry on one_time_secret (expires_at);

create table operator_session (
  id uuid primary key default gen_random_uuid(),
  secret_hash text not null unique,
  operator_id uuid not null references operator on delete cascade,
  device text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz not null default clock_timestamp()
);
create index operator_session_operator on operator_session (operator_id);

create table passkey (
  id uuid primary key default gen_random_uuid(),
  credential_id text not null unique, -- Base64url, as browsers name it
  operator_id uuid not null references operator on delete cascade,
  name text not null,
  public_key text not null, -- COSE, in Base64url
  sign_count bigint not null, -- as the passkey last said; one that falls behind is a copy
  transports text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index passkey_operator on passkey (operator_id);

-- For scripts. Only the SHA-256 is stored; the hint is the beginning, to tell keys apart.
create table api_key (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  secret_hash text not null unique,
  hint text not null,
  scopes text[] not null
    check (scopes <@ array['read', 'write', 'export', 'redeem'] and scopes <> '{}'),
  created_by uuid references operator on delete set null, -- null: by the operator token
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index api_key_created_by on api_key (created_by);

-- What operators did. Entries are only ever added, by append_audit, and each has the hash of the
-- one before: docs/schema.md has the recipe. They name members by id, so that erasing a member
-- breaks nothing.
create table audit_entry (
  sequence bigint primary key check (sequence > 0), -- without gaps: also the number of a change
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('operator', 'api_key', 'token', 'system')),
  actor_id text,
  actor_name text not null,
  action text not null,
  subject_kind text, -- null, with subject_id, for none or many
  subject_id text,
  reason text, -- null in entries about access, such as a sign-in
  details jsonb not null,
  previous_hash bytea not null, -- empty in the first entry
  hash bytea not null,
  constraint audit_entry_whole_subject check ((subject_kind is null) = (subject_id is null))
);
create index audit_entry_subject on audit_entry (subject_kind, subject_id, sequence)
  where subject_kind is not null;

-- The last entry. Locking it orders the entries, so it is locked last of all.
create table audit_head (
  is_only_row boolean primary key default true check (is_only_row),
  sequence bigint not null default 0,
  hash bytea not null default ''
) with (fillfactor = 10);
insert into audit_head default values;

-- What an undo needs. May tell about a member, so it is deleted after a day, when used, and when
-- the member is erased.
create table undo_record (
  audit_sequence bigint primary key,
  member_id uuid,
  data jsonb not null,
  until timestamptz not null
);
create index undo_record_member on undo_record (member_id) where member_id is not null;
create index undo_record_until on undo_record (until);

-- Whoever may write rows here by default may not write into the log.
do $$
declare
  other regrole;
begin
  for other in
    select distinct acl.grantee from pg_class, aclexplode(relacl) acl
    where oid = 'audit_entry'::regclass and acl.grantee not in (0, relowner)
  loop
    execute format('revoke insert, update, delete on audit_entry, audit_head from %s', other);
  end loop;
end $$;

-- Where visitors come from, each combination once.
create table source (
  id integer primary key,
  utm_source text collate "C" not null default '', -- empty: not told, like the next ones
  utm_medium text collate "C" not null default '',
  utm_campaign text collate "C" not null default '',
  referring_host text collate "C" not null default '',
  via text collate "C" not null default '', -- how an invite link was shared
  unique (utm_source, utm_medium, utm_campaign, referring_host, via)
);
-- Always there: nothing is known, and what came when the table was full.
insert into source (id, utm_source) values (0, ''), (1, '(other)');

-- Where events are sent to, as the owner set it up.
create table webhook_endpoint (
  id uuid primary key default gen_random_uuid(),
  url text not null,
  events text[] not null,
  is_on boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  -- Secrets are derived from the secret key, the id and this number: none is stored.
  secret_number integer not null default 1,
  old_secret_until timestamptz, -- the secret before signs too, until then
  off_reason text, -- a sentence, where the server switched it off
  -- The next event that is not a delivery yet.
  next_sequence bigint not null,
  next_ordinal integer not null default 0,
  failures integer not null default 0, -- attempts since the last success
  failing_since timestamptz,
  retry_at timestamptz, -- nothing is sent before, once too many attempts failed
  -- One server at a time delivers to an endpoint.
  held_by uuid,
  held_until timestamptz not null default '-infinity'
);

-- What happened to members: one row for a batch of joins. Written in its transaction, and only
-- while an endpoint wants to know. Ids alone, so that nothing outlives a member who is erased.
create table line_event (
  sequence bigint primary key, -- drawn under the line lock, so the order of committing
  kind text not null, -- joined, credited or left: see record_event
  happened_at timestamptz not null,
  member_ids uuid[] not null,
  referrer_ids uuid[], -- who was credited for each; null for nobody
  referral_counts integer[], -- how many credits that was for them
  offer_id uuid -- that the event is about
);

-- One event for one endpoint: the queue while it waits, the log afterwards.
create table webhook_delivery (
  id uuid primary key default gen_random_uuid(),
  endpoint_id uuid not null references webhook_endpoint on delete cascade,
  event_id text not null, -- the webhook-id, the same in every attempt and replay
  kind text not null,
  happened_at timestamptz not null,
  sequence bigint not null, -- of line_event; 0 for a test
  ordinal integer not null,
  member_id uuid, -- null for a test
  friend_id uuid,
  referral_count integer,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'given_up')),
  created_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  next_at timestamptz not null default '-infinity',
  -- The last attempt.
  status integer,
  cause text,
  answer text, -- its first characters, without addresses
  duration_ms integer,
  offer_id uuid
);
create index webhook_delivery_waiting on webhook_delivery (endpoint_id, sequence, ordinal)
  where state = 'waiting';
create index webhook_delivery_of_member on webhook_delivery (endpoint_id, member_id)
  where state = 'waiting';
create index webhook_delivery_log on webhook_delivery (endpoint_id, created_at, id);

-- What happened to offers, for webhooks, until it has a number among the events of the line.
-- Written in the transaction of the offer, which does not hold the line lock.
create table offer_event (
  -- The order. Not unique: after a restore it begins anew.
  id bigint generated by default as identity not null,
  kind text not null,
  happened_at timestamptz not null default clock_timestamp(),
  offer_id uuid not null,
  member_id uuid not null
);

-- Mails to a part of the line. Counts are kept here, because the mails of members who leave go.
create table campaign (
  id integer primary key check (id > 0),
  state text not null default 'draft' check (state in ('draft', 'sending', 'sent', 'cancelled')),
  revision integer not null default 1, -- of the draft: what was previewed is what is sent
  subject text not null,
  body text not null, -- Markdown
  filter jsonb not null, -- once all are found, without the text searched for: it may be an address
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  before_sequence bigint, -- members from here on joined after the sending began
  -- Members up to this id were compared with the filter, and up to the second one are in the queue.
  found_to uuid not null default '00000000-0000-0000-0000-000000000000',
  queued_to uuid not null default '00000000-0000-0000-0000-000000000000',
  is_all_found boolean not null default false,
  recipients integer not null default 0,
  sent integer not null default 0,
  failed integer not null default 0,
  suppressed integer not null default 0,
  departed integer not null default 0, -- left the line before their mail
  constraint campaign_began check ((state = 'draft') = (started_at is null)),
  constraint campaign_counts_add_up check (recipients >= sent + failed + suppressed + departed)
) with (fillfactor = 50); -- counts are rewritten with every few mails

-- A member who gets, or got, the mail. Each once, whatever happens: this is the key.
create table campaign_mail (
  campaign_id integer not null references campaign,
  member_id uuid not null,
  outcome text check (outcome in ('sent', 'refused', 'given_up', 'suppressed', 'obsolete')),
  primary key (campaign_id, member_id)
) with (fillfactor = 90); -- room to write the outcomes within their pages
create index campaign_mail_member on campaign_mail (member_id);

-- Lists that are being imported. They have addresses of people who are not in line, so the file and
-- its rows are deleted with the import, when it is done, and a day after it began.
create table list_import (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default clock_timestamp(),
  file_name text not null,
  byte_count integer not null check (byte_count > 0),
  received integer not null default 0 check (received between 0 and byte_count),
  state text not null default 'receiving' check (
    state in ('receiving', 'refused', 'received', 'checking', 'checked', 'importing', 'imported')),
  problem text, -- a sentence: why the file cannot be read
  sha256 text, -- like format, null until the file is whole
  format jsonb, -- encoding, separator and columns
  mapping jsonb,
  check_id uuid, -- of the latest check: an earlier one that still runs stops
  checked_at timestamptz, -- when the check last wrote something
  read_bytes integer not null default 0, -- by the check
  report jsonb, -- its counts
  constraint list_import_whole_format check ((format is null) = (sha256 is null))
);

-- The file, in the database so that any server can go on with it.
create table list_import_chunk (
  import_id uuid references list_import on delete cascade,
  first_byte integer,
  bytes bytea not null,
  primary key (import_id, first_byte)
);

-- A row of the file as its check found it.
create table list_import_row (
  import_id uuid, -- without a reference, which would be checked for every row
  ordinal integer, -- in the file
  line integer not null, -- where it begins
  shown text not null, -- the cell of the address, for the report
  email text,
  email_identity text collate "C",
  joined_at timestamptz,
  row_id text collate "C",
  old_code text collate "C",
  referrer text collate "C", -- as the file has it
  referrer_identity text collate "C", -- of an address
  referrer_code text collate "C", -- in the spelling of our codes, where it may be one
  stated_referrals integer,
  fault text, -- why the row is left out
  first_line integer, -- of the row with the same address that is imported
  notes text[] not null default '{}', -- what of the row is not taken over
  member_id uuid not null, -- that the member will have
  place integer, -- among those that will join, from 1
  referrer_ordinal integer, -- the referrer in this file,
  referrer_id uuid, -- or in line
  kept_code text collate "C", -- the code of the file, if the member may keep it
  new_code text collate "C" not null, -- otherwise
  friends integer not null default 0, -- in this file
  primary key (import_id, ordinal)
);
-- Rows are compared a piece at a time, so by look-ups.
create index list_import_row_address on list_import_row (import_id, email_identity, ordinal)
  where email_identity is not null;
create index list_import_row_code on list_import_row (import_id, old_code, ordinal)
  where old_code is not null;
create index list_import_row_id on list_import_row (import_id, row_id, ordinal)
  where row_id is not null;
create index list_import_row_kept_code on list_import_row (import_id, kept_code, ordinal)
  where kept_code is not null;
create index list_import_row_referrer on list_import_row (import_id, referrer_ordinal)
  where referrer_ordinal is not null;
create index list_import_row_place on list_import_row (import_id, place) where place is not null;

-- An import that was decided, or its undo: members join, or leave again, a piece at a time. After a
-- crash any server goes on with it. Kept as long as the import can be undone.
create table import_run (
  import_id uuid primary key, -- of list_import, which may be deleted before
  decided_at timestamptz not null default clock_timestamp(),
  goal text not null check (goal in ('join', 'leave')),
  is_done boolean not null default false,
  options jsonb not null, -- what the operator stated, and what the file was
  done_to bigint not null default 0, -- the last place of the list, or the last sequence that left
  moved integer not null default 0, -- members who joined, or left again
  left_out integer not null default 0 -- rows that joined meanwhile, or members who stayed
);

-- The sequences of one piece. Members who join between two pieces have others.
create table import_piece (
  import_id uuid references import_run on delete cascade,
  first_sequence bigint,
  last_sequence bigint not null,
  primary key (import_id, first_sequence)
);

-- What operators note about members: personal data, which goes with the member.
create table member_note (
  id uuid primary key default gen_random_uuid(),
  member_id uuid not null references member on delete cascade,
  author_kind text not null,
  author_id text, -- null: the operator token
  author_name text not null,
  body text not null,
  written_at timestamptz not null default clock_timestamp(),
  edited_at timestamptz
);
create index member_note_member on member_note (member_id, written_at);

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

-- Members whom an operator removed, as they were, until that can no longer be undone.
create table removed_member (
  member_id uuid primary key,
  removal uuid not null, -- one for all that were removed together
  until timestamptz not null,
  email_identity text collate "C" not null,
  member jsonb not null, -- the row
  side_rows jsonb not null, -- rows of other tables about the member, by table
  friends jsonb not null, -- who stayed: a list of {"id", "credit"}
  address_hash text -- of their mail_suppression
);
create index removed_member_removal on removed_member (removal);
create index removed_member_until on removed_member (until);

-- Friends whose join was doubtful, or whose credit somebody decided. A join without a doubt writes
-- no row.
create table credit_case (
  member_id uuid primary key references member on delete cascade, -- the friend
  rules text[] not null, -- the names of the rules that found something
  score integer not null, -- the sum of their weights
  holds boolean not null, -- the credit is held once it could be given, unless somebody decides
  created_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  decided_by text check (decided_by in ('operator', 'sweep')),
  constraint credit_case_whole_decision check ((decided_at is null) = (decided_by is null))
);

-- Members whose further credits are all held.
create table code_hold (
  member_id uuid primary key references member on delete cascade, -- the referrer
  since timestamptz not null default clock_timestamp()
);

-- Members who asked, once, that somebody looks at their held and refused credits again.
create table second_look (
  member_id uuid primary key references member on delete cascade, -- the referrer
  asked_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz -- when an operator next decided about a credit of theirs
);

-- What a join told about where it came from, as hashes under a key, for 30 days. No backup has it.

-- A key is derived from the salt and the secret key of the servers: without its row, the hashes
-- mean nothing.
create table trace_key (
  id integer primary key,
  salt bytea not null,
  created_at timestamptz not null default clock_timestamp()
);

-- Traces of members who joined by the form or the API. No reference to the member: it would be
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
  -- A network has another hash under each key: its rows share one trust, and end together.
  trust uuid not null default gen_random_uuid(),
  primary key (key_id, narrow)
);

-- Where the sweep is that looks at credits again.
create table sweep_cursor (
  is_only_row boolean primary key default true check (is_only_row),
  next_sequence bigint not null default 1, -- members from here on are new to it
  pass_sequence bigint not null default 1, -- where its pass over earlier members is,
  pass_end bigint not null default 1 -- and before which member that ends
) with (fillfactor = 10);
insert into sweep_cursor default values;

-- When operators were last mailed what waits for them; null: never.
create table digest_state (
  is_only_row boolean primary key default true check (is_only_row),
  sent_at timestamptz
);
insert into digest_state default values;

-- Mails that a join caused beyond the limit of their mailbox: at most one for each member waits.
create table postponed_mail (
  member_id uuid primary key references member on delete cascade,
  kind text not null,
  due_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp()
);
create index postponed_mail_due on postponed_mail (due_at);

-- Launch day. One row for each drop; pages, operators and servers mean the one with the highest
-- number. Whoever moves it from one state to the next holds the lock on the sizes.
create table mask_drop (
  number integer primary key check (number > 0),
  state text not null default 'open'
    check (state in ('open', 'frozen', 'selected', 'offering', 'closed')),
  -- The schedule, which the site shows once it is published.
  time_zone text not null default 'UTC',
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
-- as it was published when somebody leaves.
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

-- A step of a drop that the server takes by itself at its time. One that was taken, failed or was
-- cancelled stays, so that the revision of its calendar entry only rises.
create table scheduled_step (
  drop_number integer not null references mask_drop on delete cascade,
  step text not null check (step in (
    'freeze-drop', 'announce-draw', 'select-entrants', 'start-offers', 'close-drop')),
  input jsonb not null, -- of the change that takes it
  due_at timestamptz not null,
  time_zone text not null, -- that of the operator, for people
  state text not null default 'scheduled'
    check (state in ('scheduled', 'done', 'failed', 'cancelled')),
  failure text, -- why, as a sentence
  settled_at timestamptz,
  revision integer not null default 0, -- the SEQUENCE of RFC 5545
  revised_at timestamptz not null default clock_timestamp(),
  primary key (drop_number, step),
  constraint scheduled_step_settled check ((state = 'scheduled') = (settled_at is null)),
  constraint scheduled_step_failure check ((state = 'failed') = (failure is not null))
);
create index scheduled_step_due on scheduled_step (due_at) where state = 'scheduled';

-- A mask that is offered to a member, and the pass that it becomes. One that is open, accepted or
-- redeemed takes a mask out of the stock of its size.
create table offer (
  id uuid primary key default gen_random_uuid(),
  drop_number integer not null,
  member_id uuid not null,
  size text not null,
  state text not null default 'open'
    check (state in ('open', 'accepted', 'redeemed', 'declined', 'expired', 'cancelled')),
  wave integer not null check (wave > 0),
  offered_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  reminded_at timestamptz,
  settled_at timestamptz, -- accepted, declined, expired or cancelled
  redeemed_at timestamptz,
  code text collate "C" unique, -- of the pass
  shop_order text, -- that redeemed the pass: the same order may ask again, another one may not
  constraint offer_of_entrant
    foreign key (drop_number, member_id) references entrant (drop_number, member_id),
  constraint offer_settled check ((state = 'open') = (settled_at is null)),
  constraint offer_redeemed check ((state = 'redeemed') = (redeemed_at is not null)),
  constraint offer_redeemed_by_order check (state <> 'redeemed' or shop_order is not null),
  constraint offer_pass_has_code check (state not in ('accepted', 'redeemed') or code is not null)
);
create unique index offer_one_pass on offer (drop_number, member_id)
  where state in ('open', 'accepted', 'redeemed');
create index offer_of_member on offer (member_id);
create index offer_taken on offer (size) where state in ('open', 'accepted', 'redeemed');
create index offer_expiring on offer (expires_at) where state = 'open';

-- Codes of the shop that operators imported, for passes or for the reward of a tier. Each is used
-- once: taken_by names the offer, or the member who gets the reward.
create table shop_code (
  code text collate "C" primary key,
  size text, -- null: for any
  tier_level integer, -- null: for passes
  imported_at timestamptz not null default clock_timestamp(),
  taken_by uuid
);
create index shop_code_free on shop_code (tier_level, size) where taken_by is null;

-- The reward of a tier that a member reached, as far as it is on its way. No row: it is owed.
create table reward (
  member_id uuid not null references member on delete cascade,
  tier_level integer not null check (tier_level > 0),
  state text not null check (state in ('asked', 'answered', 'sent')),
  details jsonb, -- where to send it, as the member answered
  code text,
  asked_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  primary key (member_id, tier_level),
  constraint reward_sent check ((state = 'sent') = (sent_at is not null))
);
-- Lists of one tier and state, and how many of a tier are on their way.
create index reward_in_state on reward (tier_level, state, member_id);

-- What the rewards of a tier may cost.
create table reward_budget (
  tier_level integer primary key check (tier_level > 0),
  units integer not null check (units >= 0),
  cents_per_unit integer not null check (cents_per_unit >= 0)
);

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

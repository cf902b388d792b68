-- The friends who count for a member when the line freezes. A join writes no entry: friends confirm
-- later.
create index member_settled on member (referrer_id, credit) where confirmed_at is not null;

-- What the mail servers of a domain say about its mailboxes. Providers that the function
-- mailbox_kind lists have no row.
create table mail_domain (
  domain text collate "C" primary key,
  kind text not null check (kind in ('hosted', 'open')),
  check_at timestamptz not null -- the next look-up
);
-- Domains are read in order, one entry each, to find those without a row.
create index member_settled_domain on member ((split_part(email_identity, '@', 2)))
where credit = 'given' and confirmed_at is not null;

-- Nothing looks back at the credits for earlier friends: an operator decides, or the friend proves
-- a mailbox. A credit that was held by looking back is as one held at the join.
drop table sweep_cursor;
update credit_case set decided_at = null, decided_by = null where decided_by = 'sweep';

-- How often a friend was reminded to confirm, and when last; the second time is the last.
alter table notification_state
  add reminders smallint not null default 0 check (reminders between 0 and 2),
  add reminded_at timestamptz,
  add constraint notification_state_reminded check ((reminders = 0) = (reminded_at is null));
create index notification_state_reminded_once on notification_state (reminded_at)
where reminders = 1;

-- The first member whom no first reminder has been considered for.
create table reminder_cursor (
  is_only_row boolean primary key default true check (is_only_row),
  next_sequence bigint not null default 1
);
insert into reminder_cursor default values;

-- Bounces and complaints of members that have yet to be acted on.
alter table mail_suppression add is_acted_on boolean not null default false;
create index mail_suppression_new_failure on mail_suppression (since)
where reason <> 'stopped' and member_id is not null and not is_acted_on;

alter table credit_case drop constraint credit_case_decided_by_check;
alter table credit_case add constraint credit_case_decided_by_check
check (decided_by in ('operator', 'bounce'));

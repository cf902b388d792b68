-- Mails to addresses that anybody may have typed, by a keyed hash of the mailbox: all its spellings
-- share what it gets.
create table stranger_mail (
  job_id uuid primary key, -- each attempt of a mail is the same mail
  mailbox_hash text collate "C" not null,
  slot text not null check (slot in ('first', 'reminder', 'link', 'campaign')),
  member_id uuid references member on delete set null, -- null: they left
  claimed_at timestamptz not null
);
create index stranger_mail_mailbox on stranger_mail (mailbox_hash);
create index stranger_mail_member on stranger_mail (member_id) where member_id is not null;
-- Rows that count for a week alone.
create index stranger_mail_passing on stranger_mail (claimed_at)
where member_id is null or slot in ('link', 'campaign');

-- The mailbox decides when a mail is sent, so no join puts one off.
drop table postponed_mail;

-- Whom a draft is for, which named nobody in particular.
update campaign set filter = '{"confirmed": true}' || filter where state = 'draft';

-- A friend is reminded once, which the cursor alone shows.
drop index notification_state_reminded_once;
alter table notification_state drop reminders, drop reminded_at;

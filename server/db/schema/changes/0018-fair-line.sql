-- A network has another hash under each key: its rows have one trust, and end together.
alter table trusted_network add column trust uuid not null default gen_random_uuid();

-- Mails that a join caused beyond the limit of their mailbox: at most one for each member waits.
create table postponed_mail (
  member_id uuid primary key references member on delete cascade,
  kind text not null,
  due_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp()
);
create index postponed_mail_due on postponed_mail (due_at);

-- Mail stands still from refused_since to refused_until, because the provider refuses the sender.
alter table mail_pace
  add refused_since timestamptz,
  add refused_until timestamptz, -- null while mail stands still
  add refused_with text, -- status codes such as "550 5.4.5"
  add probe_at timestamptz; -- when the next mail is tried

-- Mails handed over, for the limits of an hour and a day.
create table mail_count (
  minute timestamptz primary key,
  mails integer not null
);

-- Mails that were stored as files, because there is no mail server.
alter table campaign add kept integer not null default 0,
  add stopping_at timestamptz, -- since then no mail of it begins
  drop constraint campaign_counts_add_up,
  add constraint campaign_counts_add_up
    check (recipients >= sent + kept + failed + suppressed + departed);
alter table campaign_mail drop constraint campaign_mail_outcome_check,
  add constraint campaign_mail_outcome_check check (
    outcome in ('sent', 'kept', 'refused', 'given_up', 'suppressed', 'obsolete'));

-- A mail about the top 100 waits for this moment: until then the change that caused it may be undone.
alter table notification_state add top100_due_at timestamptz;

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

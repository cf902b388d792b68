-- Points that an operator gave or took, beside those for friends and for coming by invite.
alter table member add column point_adjustment integer not null default 0
  constraint member_small_adjustment check (point_adjustment between -10000 and 10000);

-- While joining is paused, what a visitor is told.
alter table line_state
  add column pause_message text,
  add column paused_at timestamptz,
  add constraint line_state_whole_pause check ((pause_message is null) = (paused_at is null));

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

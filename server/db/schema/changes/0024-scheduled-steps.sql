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

-- They held times without what a step needs. The table above took their place.
alter table mask_drop drop column freeze_at, drop column draw_at, drop column offers_at,
  drop column close_at;

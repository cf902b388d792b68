-- Work that outlives the server that began it. A step and its progress are one transaction.
create table work (
  kind text,
  key text, -- what it is about, such as the number of a change
  progress jsonb not null,
  due_at timestamptz not null,
  claim uuid, -- of the server that makes its steps
  claimed_until timestamptz not null default '-infinity',
  failures integer not null default 0, -- since the last step
  primary key (kind, key)
);

-- Long changes that are under way.
insert into work (kind, key, progress, due_at)
select 'change', audit_sequence::text,
  jsonb_build_object('last', done_until, 'done', done, 'summary', '', 'isUndo', exists (
    select from audit_entry entry where entry.subject_kind = 'change'
      and entry.subject_id = audit_sequence::text and entry.action = 'undo')),
  clock_timestamp()
from undo_record where until = 'infinity';
alter table undo_record drop done_until, drop done, drop beat_at;

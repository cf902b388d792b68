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

alter table list_import drop constraint list_import_state_check;
alter table list_import add constraint list_import_state_check check (
  state in ('receiving', 'refused', 'received', 'checking', 'checked', 'importing', 'imported'));

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

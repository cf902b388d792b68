-- Each import gets a partition for its file and one for its rows, which are dropped as a whole.

alter table list_import_chunk rename to earlier_chunk;
alter table list_import_row rename to earlier_row;

-- Has no reference, which would lock list_import whenever a partition is dropped.
create table list_import_chunk (
  import_id uuid,
  first_byte integer,
  bytes bytea not null
) partition by list (import_id);
create table list_import_row (like earlier_row including defaults) partition by list (import_id);

do $$
declare
  import_id uuid;
begin
  for import_id in select id from list_import loop
    execute format(
      'create table %I partition of list_import_chunk for values in (%L)
       with (autovacuum_enabled = false, toast.autovacuum_enabled = false)',
      'list_import_chunk_' || replace(import_id::text, '-', ''), import_id);
    execute format(
      'create table %I partition of list_import_row for values in (%L)
       with (autovacuum_enabled = false, toast.autovacuum_enabled = false)',
      'list_import_row_' || replace(import_id::text, '-', ''), import_id);
  end loop;
end $$;
insert into list_import_chunk select * from earlier_chunk;
insert into list_import_row
  select * from earlier_row where import_id in (select id from list_import);
drop table earlier_chunk, earlier_row;

alter table list_import_row
  add column confirmed_at timestamptz,
  add column is_unconfirmed boolean not null default false, -- as the file says
  add column was_invited boolean not null default false, -- also by a referrer who has left
  add column point_adjustment integer not null default 0,
  add column credit text, -- that the referrer gets for the row; null: as the import decides
  add column credit_reasons text[] not null default '{}',
  add column mail_state text, -- why the address gets no mail; null: it does
  add column source jsonb; -- null: unknown

alter table list_import_chunk add primary key (import_id, first_byte);
alter table list_import_row add primary key (import_id, ordinal);
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

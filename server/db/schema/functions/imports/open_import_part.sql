-- Opens the partition of one import, empty: 'chunk' for its file, 'row' for its report.
-- It is dropped as a whole and never vacuumed, which blocks the embedded engine. Only an owner
-- makes and drops tables, so both functions run as theirs, for tables of these names alone.
create or replace function open_import_part(part text, import_id uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text := 'list_import_' || part;
  name text := import_part(part, import_id);
begin
  if to_regclass(name) is not null then
    execute format('truncate %I', name);
    return;
  end if;
  -- Unlike `create table ... partition of`, attaching waits for nobody who reads other imports.
  execute format(
    'create table %I (like %I including all)
     with (autovacuum_enabled = false, toast.autovacuum_enabled = false)', name, parent);
  execute format('alter table %I attach partition %I for values in (%L)', parent, name, import_id);
end $$;
revoke execute on function open_import_part(text, uuid) from public;

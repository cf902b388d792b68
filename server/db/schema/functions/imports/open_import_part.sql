-- Opens the partition of one import, empty: 'chunk' for its file, 'row' for the rows of its check.
-- It is dropped as a whole and never vacuumed, which blocks the embedded engine. Only an owner
-- makes and drops tables, so both functions run as theirs, for tables of these names alone.
create or replace function open_import_part(part text, import_id uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform drop_import_part(part, import_id);
  execute format(
    'create table %I partition of %I for values in (%L)
     with (autovacuum_enabled = false, toast.autovacuum_enabled = false)',
    import_part(part, import_id), 'list_import_' || part, import_id);
end $$;
revoke execute on function open_import_part(text, uuid) from public;

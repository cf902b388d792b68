-- Drops it, or leaves it to the next sweep while a long reader, as `pg_dump` is, holds the table:
-- everybody else who reads an import would wait behind us.
create or replace function drop_import_part(part text, import_id uuid) returns void
language plpgsql security definer
set search_path = public, pg_temp set lock_timeout = '100ms' as $$
begin
  execute format('drop table if exists %I', import_part(part, import_id));
exception when lock_not_available then
  null;
end $$;
revoke execute on function drop_import_part(text, uuid) from public;

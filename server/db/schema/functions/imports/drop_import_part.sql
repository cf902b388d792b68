create or replace function drop_import_part(part text, import_id uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  execute format('drop table if exists %I', import_part(part, import_id));
end $$;
revoke execute on function drop_import_part(text, uuid) from public;

-- Name of the partition of `list_import_chunk` or `list_import_row` that one import has.
create or replace function import_part(part text, import_id uuid) returns text
language sql immutable as $$
  select 'list_import_' || part || '_' || replace(import_id::text, '-', '')
$$;

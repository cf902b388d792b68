-- Checks of lists, decided imports and their undos are work.
insert into work (kind, key, progress, due_at)
select 'list-check', id::text, '{}', clock_timestamp() from list_import where state = 'checking';
insert into work (kind, key, progress, due_at)
select 'import', import_id::text, jsonb_build_object('goal', goal, 'options', options,
    'done_to', done_to, 'moved', moved, 'left_out', left_out),
  clock_timestamp()
from import_run where not is_done;
update undo_record set data = data || jsonb_build_object('options', options)
from import_run where data->>'importId' = import_id::text;
alter table import_piece drop constraint import_piece_import_id_fkey;
drop table import_run;
-- The id was of a walk, too.
alter table list_import rename check_id to description_id;
alter table list_import drop checked_at;
update list_import set description_id = null;

-- Who delivers to an endpoint has claimed its work.
alter table webhook_endpoint drop held_by, drop held_until;

-- A file that has arrived is described as work.
insert into work (kind, key, progress, due_at)
select 'list-check', id::text, '{}', clock_timestamp() from list_import
where state = 'receiving' and received = bytes;
alter table list_import drop description_id;

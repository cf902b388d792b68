-- What a file is stands as the API shows it, and a row of a report is known by its line.
alter table list_import drop constraint list_import_whole_format;
alter table list_import rename byte_count to bytes;
alter table list_import rename format to file;
update list_import
set file = file - 'hasHeader'
  || jsonb_build_object('has_header', file->'hasHeader', 'sha256', sha256)
where file is not null;
alter table list_import drop sha256;
delete from list_import_row other using list_import_row earlier
where other.import_id = earlier.import_id and other.line = earlier.line
  and other.ordinal > earlier.ordinal;
alter table list_import_row drop ordinal, add primary key (import_id, line);

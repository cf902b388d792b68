-- How far a change in parts has come. A part and its progress are one transaction, so that no
-- server makes a part again; others take over when `beat_at` is old.
alter table undo_record
add column done_until text,
add column done integer not null default 0,
add column beat_at timestamptz;

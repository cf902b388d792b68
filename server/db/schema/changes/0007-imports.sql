-- Lists that are being imported. They have addresses of people who are not in line, so the file and
-- its rows are deleted with the import, when it is done, and a day after it began.
create table list_import (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default clock_timestamp(),
  file_name text not null,
  byte_count integer not null check (byte_count > 0),
  received integer not null default 0 check (received between 0 and byte_count),
  state text not null default 'receiving'
    check (state in ('receiving', 'refused', 'received', 'checking', 'checked', 'imported')),
  problem text, -- a sentence: why the file cannot be read
  sha256 text, -- like format, null until the file is whole
  format jsonb, -- encoding, separator and columns
  mapping jsonb,
  check_id uuid, -- of the latest check: an earlier one that still runs stops
  checked_at timestamptz, -- when the check last wrote something
  read_bytes integer not null default 0, -- by the check
  report jsonb, -- its counts
  constraint list_import_whole_format check ((format is null) = (sha256 is null))
);

-- The file, in the database so that any server can go on with it.
create table list_import_chunk (
  import_id uuid references list_import on delete cascade,
  first_byte integer,
  bytes bytea not null,
  primary key (import_id, first_byte)
);

-- A row of the file as its check found it. Text is compared as bytes: by equality alone.
create table list_import_row (
  import_id uuid, -- without a reference, which would be checked for every row
  ordinal integer, -- in the file
  line integer not null, -- where it begins
  shown text not null, -- the cell of the address, for the report
  email text,
  email_identity text collate "C",
  joined_at timestamptz,
  row_id text collate "C",
  old_code text collate "C",
  referrer text collate "C", -- as the file has it
  referrer_identity text collate "C", -- of an address
  referrer_code text collate "C", -- in the spelling of our codes, where it may be one
  stated_referrals integer,
  fault text, -- why the row is left out
  first_line integer, -- of the row with the same address that is imported
  notes text[] not null default '{}', -- what of the row is not taken over
  member_id uuid not null, -- that the member will have
  place integer, -- among those that will join, from 1
  referrer_ordinal integer, -- the referrer in this file,
  referrer_id uuid, -- or in line
  kept_code text collate "C", -- the code of the file, if the member may keep it
  new_code text collate "C" not null, -- otherwise
  friends integer not null default 0, -- in this file
  primary key (import_id, ordinal)
);

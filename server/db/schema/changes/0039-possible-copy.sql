-- Where the line ran last, and since when it may be a copy of a line that runs elsewhere: until an
-- owner says that it is the line, nothing leaves it.
create table line_home (
  is_only_row boolean primary key default true check (is_only_row),
  place text, -- the number of its database or folder; null: not known yet
  public_url text,
  copy_since timestamptz,
  copy_cause text check (copy_cause in ('restored', 'moved')),
  constraint line_home_whole_copy check ((copy_since is null) = (copy_cause is null))
);
insert into line_home default values;

-- Offering is paused with the line.
alter table mask_drop drop constraint mask_drop_paused_by_check;
alter table mask_drop add constraint mask_drop_paused_by_check
check (paused_by in ('operator', 'clock', 'copy'));

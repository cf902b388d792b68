-- The start of the quarter of an hour: time zones differ from each other by whole quarters.
create or replace function quarter_of(moment timestamptz) returns timestamptz
language sql immutable as $$
  select date_bin('15 minutes', moment, '2000-01-01 00:00+00');
$$;

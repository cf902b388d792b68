-- position_at for a caller that does not have the shifts of the line at hand.
create or replace function position_of(key bigint)
returns table ("position" bigint) language sql stable as $$
  select own.position
  from line_state line
  cross join lateral position_at(key, line.bucket_shifts) own
$$;

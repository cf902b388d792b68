-- The minutes between two joins, rounded down: to 1 below two hours, to 10 below a day, to 60 below
-- a year, which is the longest. So there are at most 9,000 different ones.
create or replace function wait_minutes_of(joined timestamptz, friend_joined timestamptz)
returns integer language sql immutable as $$
  select (case when exact < 120 then exact when exact < 1440 then exact / 10 * 10
    else exact / 60 * 60 end)::integer
  from (
    select least(525600, greatest(
      0, floor(extract(epoch from friend_joined - joined) / 60)))::integer as exact
  ) minutes;
$$;

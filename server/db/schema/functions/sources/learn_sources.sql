-- The ids of sources in the order asked for. Unknown ones are added. Anybody can make them up, so
-- their number is bounded; what has no room is 1, "other".
--   Joins have room for 500 new ones each day, which stay.
--   Visits have room for 1,000 that no member joined by. Those with the fewest visits make room for
--   new ones, and their visits become those of "other", because no source has their id again. The
--   newest stays, so that its id is not given twice.
-- The line is locked before the table, as in a join: no join uses what is just being forgotten.
create or replace function learn_sources(wanted json, are_joins boolean) returns integer[]
language plpgsql as $$
declare
  ids integer[] := find_sources(wanted, are_joins);
  today date := clock_timestamp() at time zone 'UTC';
  space integer;
begin
  if array_position(ids, null) is null then
    return ids;
  end if;
  perform from line_state for update;
  lock table source in share row exclusive mode;
  if are_joins then
    space := 500 - (select count(*) from source where joined_on = today);
  else
    delete from source where id in (
      select id from source
      where joined_on is null and not is_pinned and id < (select max(id) from source)
        and id <> all(array_remove(ids, null))
      order by visits, id
      limit greatest(0, cardinality(array_positions(ids, null)) - 1000 + (
        select count(*) from source where joined_on is null and not is_pinned)));
    space := 1000 - (select count(*) from source where joined_on is null and not is_pinned);
  end if;
  insert into source (
    joined_on, id, key, utm_source, utm_medium, utm_campaign, referring_host, via)
  select case when are_joins then today end,
    (select max(id) from source) + row_number() over (), added.*
  from (
    select distinct on (key) key, utm_source, utm_medium, utm_campaign, referring_host, via
    from json_to_recordset(wanted) as asked (
      key text, utm_source text, utm_medium text, utm_campaign text, referring_host text, via text)
    where not exists (
      select from source where source.key = asked.key and (joined_on is not null or not are_joins))
    limit greatest(0, space)
  ) added
  on conflict (key) do update set joined_on = excluded.joined_on;
  return array_replace(find_sources(wanted, are_joins), null, 1);
end $$;

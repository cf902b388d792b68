-- The first members of a frozen line, who have confirmed, by their settled credits. Settling only
-- moves a member back, so nobody stands ahead of their key in the line: it is read from its front
-- until nobody unread can be among the first.
create or replace function settled_line(wanted integer)
returns table (member_id uuid, credits integer, sort_key bigint)
language plpgsql stable as $$
#variable_conflict use_column
declare
  places bigint := wanted;
  ids uuid[];
  counts integer[];
  keys bigint[];
  members bigint;
  last_read bigint := -1::bigint << 62;
begin
  loop
    select
      (array_agg(member_id order by sort_key) filter (where sort_key is not null))[:wanted],
      (array_agg(credits order by sort_key) filter (where sort_key is not null))[:wanted],
      (array_agg(sort_key order by sort_key) filter (where sort_key is not null))[:wanted],
      count(line_key), coalesce(max(line_key), last_read)
    into ids, counts, keys, members, last_read
    from (
      select * from settled_front(last_read, places)
      union all select read.id, null, read.credits, read.sort_key
      from unnest(ids, counts, keys) read (id, credits, sort_key)
    ) candidate;
    exit when members < places or keys[wanted] < last_read;
    places := least(2 * places, 5000);
  end loop;
  return query select * from unnest(ids, counts, keys);
end $$;

-- Counts the next members, in the order of joining: at most max_members. Returns how many: 0 when
-- all are counted, or another server is counting. A friend counts for the quarter in which the
-- referrer joined.
create or replace function count_joins(max_members integer) returns integer language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  first bigint;
  last bigint;
  next_first bigint;
  counted integer;
begin
  select next_sequence into first from join_cursor for update skip locked;
  if first is null then
    return 0;
  end if;
  -- In one statement: whoever is not in it joins later, or has left.
  select max(sequence), count(*),
    case when count(*) < max_members then (select next_sequence from line_state)
      else max(sequence) + 1 end
  into last, counted, next_first
  from (
    select sequence from member where sequence >= first order by sequence limit max_members
  ) next;
  if next_first > first then
    update join_cursor set next_sequence = next_first;
  end if;
  if counted = 0 then
    return 0;
  end if;

  perform count_sources(first, last);
  perform count_friends(first, last);
  return counted;
end $$;

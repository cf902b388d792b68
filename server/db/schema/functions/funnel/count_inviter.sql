-- Counts a member for their inviter who was counted before without one: "earlier" is the member
-- until then. The caller holds the line lock.
create or replace function count_inviter(earlier member) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  next bigint;
begin
  select next_sequence into next from join_cursor for update;
  if earlier.sequence >= next then
    return;
  end if;
  update join_count set joins = joins - 1
  where quarter = quarter_of(earlier.joined_at) and source_id = coalesce(earlier.source_id, 0);
  perform count_sources(earlier.sequence, earlier.sequence);
  perform count_friends(earlier.sequence, earlier.sequence);
end $$;

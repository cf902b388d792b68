-- Counts these members where they came from.
create or replace function count_sources(first bigint, last bigint) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  insert into join_count as kept (quarter, source_id, joins, invited)
  select quarter_of(joined_at), coalesce(source_id, 0), count(*),
    count(*) filter (where is_invited)
  from member where sequence between first and last
  group by 1, 2
  on conflict (quarter, source_id) do update set
    joins = kept.joins + excluded.joins, invited = kept.invited + excluded.invited;
end $$;

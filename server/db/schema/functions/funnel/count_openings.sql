-- Counts members whose invite link was opened, each once. False when another server is counting:
-- ask again later.
create or replace function count_openings(codes text[]) returns boolean language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  perform from join_cursor for update skip locked;
  if not found then
    return false;
  end if;
  with opened as (
    insert into opened_invite (member_id, has_friend)
    select id, false from member where referral_code = any(codes)
    on conflict do nothing
    returning member_id
  )
  insert into cohort_count as kept (quarter, shared)
  select quarter_of(joined_at), count(*) from opened
  cross join lateral (select joined_at from member where id = member_id offset 0) member
  group by 1
  on conflict (quarter) do update set shared = kept.shared + excluded.shared;
  return true;
end $$;

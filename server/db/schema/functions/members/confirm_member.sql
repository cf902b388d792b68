-- The member proved that the address is theirs, which gives a pending credit, or holds it if
-- there is a doubt. Idempotent. False when there is no such member.
create or replace function confirm_member(confirming_id uuid) returns boolean language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  confirming member;
begin
  perform from line_state for update;
  select * into confirming from member where id = confirming_id;
  if not found then
    return false;
  end if;
  if confirming.confirmed_at is null then
    update member set confirmed_at = clock_timestamp() where id = confirming_id;
  end if;
  if confirming.credit = 'pending' then
    perform set_credits(array[confirming_id], case
      when exists(select from credit_case where member_id = confirming_id and holds) then 'held'
      else 'given' end);
  end if;
  return true;
end $$;

-- The member proved that the address is theirs, which gives a credit that is pending, or refused
-- for a bounce; or holds it if there is a doubt. Proof also gives a held one, see give_proven.
-- Idempotent. False when there is no such member.
create or replace function confirm_member(confirming_id uuid) returns boolean language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  confirming member;
  known credit_case;
  waits boolean;
begin
  perform from line_state for update;
  select * into confirming from member where id = confirming_id;
  if not found then
    return false;
  end if;
  if confirming.confirmed_at is null then
    update member set confirmed_at = clock_timestamp() where id = confirming_id;
  end if;
  select * into known from credit_case where member_id = confirming_id;
  waits := confirming.credit = 'pending'
    or confirming.credit = 'refused' and known.decided_by = 'bounce';
  if waits then
    perform set_credits(array[confirming_id], case when known.holds then 'held' else 'given' end);
  end if;
  if waits or confirming.credit = 'held' then
    perform give_proven(confirming_id);
  end if;
  return true;
end $$;

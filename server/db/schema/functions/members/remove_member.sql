-- Takes a member out of the line, their credit and their mails with them. Friends they brought keep
-- their positions and stay invited, without a referrer. False when there is no such member.
create or replace function remove_member(leaving_id uuid) returns boolean language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  -- Before the line lock: pg-boss's clean-up, for one, may hold these rows for long.
  delete from pgboss.job where (data->>'memberId')::uuid = leaving_id;
  perform from line_state for update;
  perform set_credit(leaving_id, 'refused');
  update member set referrer_id = null, credit = 'none' where referrer_id = leaving_id;
  delete from member where id = leaving_id;
  if not found then
    return false;
  end if;
  -- Again, for mail queued meanwhile. From here on, any writer that queues mail for members holds
  -- the line lock or finds the member gone.
  delete from pgboss.job where (data->>'memberId')::uuid = leaving_id;
  return true;
end $$;

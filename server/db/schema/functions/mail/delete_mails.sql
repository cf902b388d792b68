-- Deletes the mails of members who leave: queued, being sent, and sent in the last days.
create or replace function delete_mails(leaving_ids uuid[]) returns void language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  delete from pgboss.job where (data->>'memberId')::uuid = any(leaving_ids);
end $$;

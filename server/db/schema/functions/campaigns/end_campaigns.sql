-- Ends those of these campaigns whose mails have all ended. The caller has locked the campaigns.
create or replace function end_campaigns(campaign_ids integer[]) returns void
language plpgsql
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  update campaign set state = 'sent', ended_at = clock_timestamp()
  where id = any(campaign_ids) and state = 'sending' and is_all_found
    and recipients = sent + kept + failed + suppressed + departed;
end $$;

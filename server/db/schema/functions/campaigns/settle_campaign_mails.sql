-- Counts the outcomes of mails. Idempotent, and called before the queue completes their jobs, so
-- that the queue calls again after a crash in between.
create or replace function settle_campaign_mails(
  campaign_ids integer[], member_ids uuid[], mail_outcome text) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  perform from campaign where id = any(campaign_ids) order by id for update;
  with settled as (
    update campaign_mail mail set outcome = mail_outcome
    from unnest(campaign_ids, member_ids) ended (campaign_id, member_id)
    where mail.campaign_id = ended.campaign_id and mail.member_id = ended.member_id
      and mail.outcome is null
      -- The unsent mails of a cancelled campaign are counted as cancelled.
      and (mail_outcome <> 'obsolete' or exists (
        select from campaign
        where id = ended.campaign_id and state = 'sending' and stopping_at is null))
    returning mail.campaign_id
  ), counted as (
    select campaign_id, count(*)::integer as mails from settled group by campaign_id
  )
  update campaign set
    sent = sent + case when mail_outcome = 'sent' then mails else 0 end,
    kept = kept + case when mail_outcome = 'kept' then mails else 0 end,
    failed = failed + case when mail_outcome in ('refused', 'given_up') then mails else 0 end,
    suppressed = suppressed + case when mail_outcome = 'suppressed' then mails else 0 end,
    departed = departed + case when mail_outcome = 'obsolete' then mails else 0 end
  from counted where id = campaign_id;
  perform end_campaigns(campaign_ids);
end $$;

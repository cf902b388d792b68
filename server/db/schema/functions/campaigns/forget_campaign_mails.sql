-- Deletes the campaign mails of members who leave, so that no campaign waits for them.
create or replace function forget_campaign_mails() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  left_ids uuid[] := array(select id from removed);
  ids integer[] := array(
    select distinct campaign_id from campaign_mail
    where member_id = any(left_ids) and outcome is null);
begin
  perform from campaign where id = any(ids) order by id for update;
  with gone as (
    delete from campaign_mail where member_id = any(left_ids)
    returning campaign_id, outcome
  ), counted as (
    select campaign_id, count(*)::integer as mails from gone where outcome is null
    group by campaign_id
  )
  update campaign set departed = departed + mails
  from counted where id = campaign_id and state = 'sending';
  perform end_campaigns(ids);
  return null;
end $$;

-- After "member_left", by name, which takes the line lock.
create or replace trigger member_left_campaigns after delete on member
  referencing old table as removed for each statement execute function forget_campaign_mails();

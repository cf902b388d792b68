-- Moves the next mails of the oldest campaign under way to the queue. Returns how many.
create or replace function queue_campaign_mails(at_most integer) returns integer
language plpgsql
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  one campaign;
  ids uuid[];
begin
  select * into one from campaign
  where state = 'sending' and stopping_at is null and queued_to < found_to
  order by id limit 1 for update;
  if not found then
    return 0;
  end if;
  ids := array(
    select member_id from campaign_mail
    where campaign_id = one.id and member_id > one.queued_to
    order by member_id limit at_most);
  update campaign
  set queued_to = case
    when cardinality(ids) < at_most then found_to else ids[cardinality(ids)] end
  where id = one.id;
  perform queue_mails(array(
    select jsonb_build_object('kind', 'campaign', 'memberId', id, 'campaign', one.id)
    from unnest(ids) with ordinality as next (id, ordinal) order by ordinal));
  return cardinality(ids);
end $$;

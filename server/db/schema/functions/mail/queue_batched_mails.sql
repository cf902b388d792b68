-- Moves the oldest batches of mail_outbox to the queue: as many as hold "at_least" mails.
create or replace function queue_batched_mails(at_least integer) returns void
language plpgsql
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  mails jsonb[];
begin
  if not exists (select from mail_outbox order by first_sequence limit 1) then
    return;
  end if;
  with oldest as (
    select first_sequence,
      sum(cardinality(member_ids)) over (order by first_sequence) - cardinality(member_ids)
        as before
    from (
      select first_sequence, member_ids from mail_outbox order by first_sequence limit at_least
    ) batch
  ), taken as (
    delete from mail_outbox
    where first_sequence in (
      select oldest.first_sequence from oldest where oldest.before < at_least)
    returning first_sequence, kind, member_ids
  )
  select array_agg(
    jsonb_build_object('kind', kind, 'memberId', member_id) order by first_sequence, ordinal)
  into mails
  from taken, unnest(member_ids) with ordinality as one (member_id, ordinal);
  perform queue_mails(mails);
end $$;

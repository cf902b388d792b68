-- Deletes the rows of members who leave from tables without a foreign key, and records for
-- webhooks that they left. Where a paid mask goes is kept, with the address to ask at: it is owed.
create or replace function forget_left() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  left_ids uuid[] := array(select id from removed order by sequence);
  recorded text[];
begin
  select recorded_events into recorded from line_state for update;
  if exists (select from member where referrer_id = any(left_ids)) then
    raise foreign_key_violation
      using message = 'A member in line was invited by a member who leaves.';
  end if;
  -- By their ids: a join with "removed" may be planned as a walk through the other table.
  delete from standing where member_id = any(left_ids);
  perform from join_cursor for update;
  delete from join_trace where member_id = any(left_ids);
  delete from opened_invite where member_id = any(left_ids);
  delete from notification_due where member_id = any(left_ids);
  delete from parcel using offer
  where parcel.member_id = any(left_ids) and offer.id = offer_id and offer.state <> 'paid';
  insert into parcel (offer_id, member_id, email)
  select offer.id, removed.id, removed.email
  from removed join offer on offer.member_id = removed.id and offer.state = 'paid'
  on conflict (offer_id) do update set email = excluded.email;
  update mail_suppression set member_id = null where member_id = any(left_ids);
  update mail_outbox
  set member_ids = array(select id from unnest(member_ids) id where id <> all(left_ids))
  where member_ids && left_ids and first_sequence = any(array(
    select batch.first_sequence from removed
    cross join lateral (
      -- A batch has the members from its first sequence to the next batch's.
      select first_sequence from mail_outbox where first_sequence <= removed.sequence
      order by first_sequence desc limit 1
    ) batch));
  if 'left' = any(recorded) and left_ids <> '{}' then
    perform record_event('left', left_ids, null, null);
  end if;
  return null;
end $$;

create or replace trigger member_left after delete on member
  referencing old table as removed for each statement execute function forget_left();

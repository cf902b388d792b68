-- Wants a checkout for an accepted offer, in the same transaction, whoever accepts it, and again
-- once a hand-over is undone; a member who entered by card has one. Any other change of a pass lets
-- the till look at its checkout at once, and a payment of a cancelled pass goes back.
create or replace function want_checkout() returns trigger language plpgsql as $$
begin
  if new.state = 'accepted' then
    insert into checkout (offer_id, pay_by)
    select new.id, clock_timestamp() + make_interval(hours => pay_hours)
    from mask_drop where number = new.drop_number
    on conflict (offer_id) do update
    set state = 'wanted', attempt = checkout.attempt + 1, size = null, ends_at = null,
      far_id = null, link = null, account_id = null, cents = null, currency = null
    where checkout.state = 'cancelled';
  end if;
  update checkout set next_at = '-infinity'
  where offer_id = new.id and state in ('wanted', 'created', 'held');
  if new.state = 'cancelled' then
    update till_payment
    set state = 'to_refund', next_at = '-infinity', why = 'The pass was cancelled.'
    where offer_id = new.id
      and (state in ('kept', 'by_hand') or state = 'settled' and reference = new.shop_order);
  end if;
  return null;
end $$;

create or replace trigger pass_changed after insert or update of state, size on offer
  for each row when (new.code is not null) execute function want_checkout();

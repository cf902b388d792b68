-- A pass is accepted, paid, and then handed over at a door or sent: "redeemed" said neither.
drop index offer_one_pass;
drop index offer_taken;
alter table offer
  drop constraint offer_state_check,
  drop constraint offer_redeemed,
  drop constraint offer_redeemed_by,
  drop constraint offer_pass_has_code;
alter table offer rename column redeemed_at to paid_at;
alter table offer add handed_at timestamptz; -- at a door

-- A scan has priority: one mask was seen to leave by it. Nobody had paid for it.
update offer set state = 'handed_over', handed_at = paid_at, paid_at = null
where state = 'redeemed' and door_scan is not null;
update offer set state = 'sent' from parcel
where state = 'redeemed' and parcel.offer_id = offer.id and sent_at is not null;
update offer set state = 'paid' where state = 'redeemed';
update checkout set state = 'cancelled' from offer
where offer.id = checkout.offer_id and offer.state = 'handed_over' and checkout.state = 'paid';

alter table offer
  add constraint offer_state_check check (state in (
    'open', 'accepted', 'paid', 'handed_over', 'sent', 'declined', 'expired', 'cancelled')),
  add constraint offer_paid
  check (state not in ('paid', 'sent') or (paid_at is not null and shop_order is not null)),
  -- A scan that was undone stays: when it is repeated, it hands over nothing.
  add constraint offer_handed_over check ((state = 'handed_over') = (handed_at is not null)),
  add constraint offer_handed_over_by check (state <> 'handed_over' or door_scan is not null),
  add constraint offer_pass_has_code
  check (state not in ('accepted', 'paid', 'handed_over', 'sent') or code is not null);
create unique index offer_one_pass on offer (drop_number, member_id)
  where state in ('open', 'accepted', 'paid', 'handed_over', 'sent');
create index offer_taken on offer (size)
  where state in ('open', 'accepted', 'paid', 'handed_over', 'sent');

-- What a webhook was told as one event are two.
update webhook_endpoint set events = events || '{pass.handed_over}'
where 'pass.redeemed' = any(events);
update line_state set recorded_events = recorded_events || '{pass.handed_over}'
where 'pass.redeemed' = any(recorded_events);

-- A member who has paid and leaves still gets the mask: the parcel keeps where to.
alter table parcel drop constraint parcel_member_id_fkey;
alter table parcel add email text; -- of a member who has left

-- Those who were removed within the last day, and can come back.
insert into parcel (offer_id, member_id, address, asked_at, answered_at, email)
select offer.id, offer.member_id, kept.address, kept.asked_at, kept.answered_at,
  removed_member.member->>'email'
from removed_member
join offer on offer.member_id = removed_member.member_id and offer.state = 'paid'
left join lateral jsonb_populate_recordset(null::parcel, side_rows->'parcel') kept
  on kept.offer_id = offer.id
on conflict do nothing;

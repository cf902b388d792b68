-- Keeps what happened to an offer, if a webhook wants to know. It takes no lock that an offer does
-- not have already, so it cannot deadlock: number_offer_events gives the event its place. A
-- hand-over that is undone is no event: its pass was accepted or paid before.
create or replace function note_offer() returns trigger language plpgsql as $$
declare
  event_kind text := case new.state
    when 'open' then 'offer.made'
    when 'accepted' then 'offer.accepted'
    when 'declined' then 'offer.declined'
    when 'expired' then 'offer.expired'
    when 'paid' then 'pass.redeemed'
    when 'handed_over' then 'pass.handed_over'
    when 'sent' then 'pass.sent'
    when 'cancelled' then 'pass.cancelled'
  end;
begin
  insert into offer_event (kind, offer_id, member_id)
  select event_kind, new.id, new.member_id
  from line_state where event_kind = any(recorded_events);
  return null;
end $$;

create or replace trigger offer_made after insert on offer
  for each row execute function note_offer();
create or replace trigger offer_settled after update of state on offer
  for each row when (old.state is distinct from new.state
    and not (old.state = 'handed_over' and new.state in ('accepted', 'paid')))
  execute function note_offer();

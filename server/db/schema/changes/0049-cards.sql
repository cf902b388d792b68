-- A drop whose entrants enter by a hold on their card, until this time; null for one that makes
-- offers alone.
alter table mask_drop
  add enter_until timestamptz,
  add refuses_prepaid boolean not null default false,
  add entrants_told_to integer not null default 0, -- the last position that was mailed
  add entrants_reminded_to integer not null default 0; -- and reminded
-- Whether the card of an entrant held the price when the draw was announced: only those are drawn.
alter table entrant add has_entered boolean not null default false;

-- An entry is a checkout whose offer_id the pass gets once the member is drawn.
alter table checkout
  drop constraint checkout_offer_id_fkey,
  add drop_number integer references mask_drop, -- of an entry
  add member_id uuid, -- of an entry
  add card text, -- its fingerprint, as long as it is a ticket
  add capture_before timestamptz, -- when the hold lapses
  add why text check (why in (
    'duplicate', 'prepaid', 'amount', 'unknown', 'lapsed', 'refused', 'not-drawn', 'withdrawn',
    'undone')), -- why nothing is held any more
  drop constraint checkout_state_check,
  add constraint checkout_state_check check (state in (
    'wanted', 'created', 'held', 'releasing', 'released', 'paid', 'expired', 'cancelled')),
  drop constraint checkout_begun,
  add constraint checkout_begun check (
    (ends_at is null or account_id is not null)
    and (size is null) = (ends_at is null or member_id is not null)),
  drop constraint checkout_created,
  add constraint checkout_created
  check (state not in ('created', 'held', 'releasing') or far_id is not null),
  add constraint checkout_entry check (
    (member_id is null) = (drop_number is null)
    and (member_id is not null or state not in ('held', 'releasing', 'released')));
create unique index checkout_one_entry on checkout (drop_number, member_id)
  where member_id is not null;
create unique index checkout_one_ticket on checkout (drop_number, card) where card is not null;
drop index checkout_due;
create index checkout_due on checkout (next_at)
  where state in ('wanted', 'created', 'held', 'releasing');

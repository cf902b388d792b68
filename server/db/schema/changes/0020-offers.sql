-- A mask that is offered to a member, and the pass that it becomes. One that is open, accepted or
-- redeemed takes a mask out of the stock of its size.
create table offer (
  id uuid primary key default gen_random_uuid(),
  drop_number integer not null,
  member_id uuid not null,
  size text not null,
  state text not null default 'open'
    check (state in ('open', 'accepted', 'redeemed', 'declined', 'expired', 'cancelled')),
  wave integer not null check (wave > 0),
  offered_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  reminded_at timestamptz,
  settled_at timestamptz, -- accepted, declined, expired or cancelled
  redeemed_at timestamptz,
  code text collate "C" unique, -- of the pass
  constraint offer_of_entrant
    foreign key (drop_number, member_id) references entrant (drop_number, member_id),
  constraint offer_settled check ((state = 'open') = (settled_at is null)),
  constraint offer_redeemed check ((state = 'redeemed') = (redeemed_at is not null)),
  constraint offer_pass_has_code check (state not in ('accepted', 'redeemed') or code is not null)
);
create unique index offer_one_pass on offer (drop_number, member_id)
  where state in ('open', 'accepted', 'redeemed');
create index offer_of_member on offer (member_id);
create index offer_taken on offer (size) where state in ('open', 'accepted', 'redeemed');
create index offer_expiring on offer (expires_at) where state = 'open';

-- Codes of the shop that operators imported, for passes or for the reward of a tier. Each is used
-- once: taken_by names the offer, or the member who gets the reward.
create table shop_code (
  code text collate "C" primary key,
  size text, -- null: for any
  tier_level integer, -- null: for passes
  imported_at timestamptz not null default clock_timestamp(),
  taken_by uuid
);
create index shop_code_free on shop_code (tier_level, size) where taken_by is null;

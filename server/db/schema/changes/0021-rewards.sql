-- The reward of a tier that a member reached, as far as it is on its way. No row: it is owed.
create table reward (
  member_id uuid not null references member on delete cascade,
  tier_level integer not null check (tier_level > 0),
  state text not null check (state in ('asked', 'answered', 'sent')),
  details jsonb, -- where to send it, as the member answered
  code text,
  asked_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  primary key (member_id, tier_level),
  constraint reward_sent check ((state = 'sent') = (sent_at is not null))
);

-- What the rewards of a tier may cost.
create table reward_budget (
  tier_level integer primary key check (tier_level > 0),
  units integer not null check (units >= 0),
  cents_per_unit integer not null check (cents_per_unit >= 0)
);

-- The time of an offer runs once its mail was handed over: only then it can end.
alter table offer add mailed_at timestamptz, add remind_at timestamptz;
update offer set mailed_at = offered_at, remind_at = greatest(
  expires_at - interval '2 hours', offered_at + (expires_at - offered_at) / 2);

-- While offering is paused, nothing is offered and no offer ends. When it resumes, each offer gets
-- back the time since paused_at, which after a leap of the clock is the last sweep before it.
alter table mask_drop
  add swept_at timestamptz,
  add paused_at timestamptz,
  add paused_by text check (paused_by in ('operator', 'clock')),
  add constraint mask_drop_paused check ((paused_at is null) = (paused_by is null));

-- When the mail server last failed a probe; null once it answered.
alter table mail_pace add failed_at timestamptz;

-- Announced numbers bind. What changes them afterwards is an entry of this list, which is public:
-- [{amended_at, masks, reason}]. The masks of the last one count.
alter table mask_drop add amendments jsonb;

-- Drops that an entrant was frozen for in vain, where the operator lets them count.
alter table entrant add losses integer not null default 0 check (losses between 0 and 255);

-- Who sells the masks to holders of passes, and their own checkouts there.
alter table mask_drop
  add pay_hours integer not null default 24 check (pay_hours > 0);

-- The till that owners chose in the console. No row: the link of SHOP_URL.
create table till (
  is_only_row boolean primary key default true check (is_only_row),
  kind text not null check (kind in ('link', 'stripe')),
  settings jsonb not null,
  keys text, -- encrypted with a key derived from SECRET_KEY
  chosen_at timestamptz not null default clock_timestamp(),
  -- When its list of sales is compared with our checkouts next, and why that failed last.
  compare_at timestamptz not null default '-infinity',
  compared_at timestamptz,
  failure text
);

-- The checkout of one pass, and at once the outbox of the calls that it needs. It is inserted in
-- the transaction that accepts the offer.
create table checkout (
  offer_id uuid primary key references offer on delete cascade,
  pay_by timestamptz not null,
  state text not null default 'wanted'
    check (state in ('wanted', 'created', 'paid', 'expired', 'cancelled')),
  -- What the till is told, fixed before the first call, so that a repeated call says the same. The
  -- number of the attempt is part of its idempotency key.
  attempt integer not null default 1,
  size text,
  ends_at timestamptz,
  far_id text unique, -- its id at the till
  link text, -- where its holder pays
  next_at timestamptz not null default '-infinity',
  held_until timestamptz not null default '-infinity',
  failures integer not null default 0,
  failure text,
  constraint checkout_begun check ((size is null) = (ends_at is null)),
  constraint checkout_created check (state <> 'created' or far_id is not null)
);
create index checkout_due on checkout (next_at) where state in ('wanted', 'created');

-- A payment at the till. One that no pass waits for is given back; one that no checkout of ours
-- took is only shown to operators.
create table till_payment (
  id text primary key, -- at the till
  offer_id uuid,
  reference text not null, -- by which people find it at the till
  cents bigint not null,
  currency text not null,
  state text not null check (state in ('kept', 'to_refund', 'refunded', 'foreign')),
  why text,
  seen_at timestamptz not null default clock_timestamp(),
  next_at timestamptz not null default '-infinity',
  held_until timestamptz not null default '-infinity',
  failures integer not null default 0,
  failure text
);
create index till_payment_due on till_payment (next_at) where state = 'to_refund';

-- A mask that goes to its member by mail, once they are asked where to, or it was sent.
create table parcel (
  offer_id uuid primary key references offer,
  member_id uuid not null references member on delete cascade,
  address jsonb, -- null: not given yet, or deleted
  asked_at timestamptz,
  answered_at timestamptz,
  sent_at timestamptz,
  carrier text,
  tracking text,
  constraint parcel_sent check ((sent_at is null) = (tracking is null)),
  constraint parcel_sent_by_carrier check ((sent_at is null) = (carrier is null))
);
create index parcel_of_member on parcel (member_id);

-- Whoever is at a door uses up passes, and may do nothing else.
alter table operator drop constraint operator_role_check;
alter table operator add constraint operator_role_check
check (role in ('owner', 'viewer', 'door'));

-- A pass is redeemed by an order of the shop, or by a scan at a door.
alter table offer
  add door_scan text, -- that redeemed the pass: the same scan may ask again, another one may not
  add scanned_by text, -- the name of the operator or API key
  drop constraint offer_redeemed_by_order,
  add constraint offer_redeemed_by
  check (state <> 'redeemed' or shop_order is not null or door_scan is not null),
  add constraint offer_scanned check ((door_scan is null) = (scanned_by is null));

-- By this id a line recognises what it sold, whatever its address is by then.
alter table line_state add line_id uuid not null default gen_random_uuid();

-- Where masks are or were sold: each with its own keys, which stay while a payment is there.
create table till_account (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('link', 'stripe', 'shopify')),
  far_id text, -- as the vendor says it; null: not asked yet
  is_live boolean, -- false: a test, and no money moves
  settings jsonb, -- null: the link of SHOP_URL
  keys text, -- encrypted with a key derived from SECRET_KEY
  chosen_at timestamptz not null default clock_timestamp(),
  left_at timestamptz, -- null: the one that sells now
  -- When its list of sales is compared with our checkouts next, and why that failed last.
  compare_at timestamptz not null default '-infinity',
  compared_at timestamptz,
  failure text
);
create unique index till_account_chosen on till_account ((true)) where left_at is null;
insert into till_account (kind, settings, keys, chosen_at)
select kind, settings, keys, chosen_at from till;
insert into till_account (kind) select 'link' where not exists (select from till_account);
drop table till;

-- Other sales of the account were rows as well, and hid those of the line. One that is ours after
-- all is found by the next comparison.
delete from till_payment where state = 'foreign';
-- A payment of a till that was exchanged since: its keys are gone.
insert into till_account (kind, left_at)
select distinct sold.kind, clock_timestamp() from till_payment
cross join lateral (
  select case when id like 'gid:%' then 'shopify' else 'stripe' end as kind) sold
where not exists (select from till_account where till_account.kind = sold.kind);

alter table till_payment
  add account_id uuid references till_account,
  -- What was given back, and what its payer disputes: each payment is read again for good.
  add refunded_cents bigint not null default 0,
  add disputed_cents bigint not null default 0,
  drop constraint till_payment_state_check,
  add constraint till_payment_state_check
    check (state in ('kept', 'to_refund', 'refunded', 'by_hand', 'settled')),
  alter cents drop not null, -- null: the shop behind a link took it
  alter currency drop not null;
update till_payment set refunded_cents = case state when 'refunded' then cents else 0 end,
  account_id = (
    select id from till_account
    where kind = case when till_payment.id like 'gid:%' then 'shopify' else 'stripe' end);
alter table till_payment alter account_id set not null;
drop index till_payment_due;
create index till_payment_due on till_payment (next_at);

-- Where an attempt was begun, and what the mask costs there.
alter table checkout
  add account_id uuid references till_account,
  add cents bigint,
  add currency text;
update checkout set account_id = coalesce(
  (select account_id from till_payment where till_payment.offer_id = checkout.offer_id
    order by state = 'kept' desc limit 1),
  (select id from till_account where left_at is null))
where size is not null or state <> 'wanted';
update checkout set cents = (settings->>'cents')::bigint, currency = lower(settings->>'currency')
from till_account where till_account.id = account_id and kind = 'stripe';
alter table checkout drop constraint checkout_begun, add constraint checkout_begun
  check ((size is null) = (ends_at is null) and (size is null or account_id is not null));

-- Shopify is a till, too.
alter table till drop constraint till_kind_check;
alter table till add constraint till_kind_check check (kind in ('link', 'stripe', 'shopify'));

-- When the holder of an unpaid pass is reminded: null until it is planned, infinity once mailed.
alter table checkout add remind_at timestamptz;

-- Amounts of these currencies were counted in the unit that is in use, as ICU says, and are counted
-- in the minor unit of ISO 4217 from now on, as the vendors do.
with widened (currency, by) as (
  select unnest(array['AFN', 'ALL', 'COP', 'HUF', 'IDR', 'IRR', 'KPW', 'LAK', 'LBP', 'MMK', 'PKR',
    'SLL', 'SOS', 'SYP', 'YER']), 100
  union all values ('IQD', 1000)
), accounts as (
  update till_account
  set settings = jsonb_set(settings, '{cents}', to_jsonb((settings->>'cents')::bigint * by))
  from widened where upper(settings->>'currency') = widened.currency and settings ? 'cents'
), checkouts as (
  update checkout set cents = cents * by
  from widened where upper(checkout.currency) = widened.currency
)
update till_payment
set cents = cents * by, refunded_cents = refunded_cents * by, disputed_cents = disputed_cents * by
from widened where upper(till_payment.currency) = widened.currency;

-- State of an offer for everybody who reads it: an open offer expires with its time, before the
-- next sweep settles it. Volatile like the clock, so that queries inline it.
create or replace function offer_state(one offer) returns text language sql volatile as $$
  select case when one.state = 'open' and one.expires_at <= clock_timestamp() then 'expired'
    else one.state end
$$;

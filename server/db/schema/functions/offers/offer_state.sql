-- State of an offer for everybody who reads it: an open offer expires with its time, before the
-- next sweep settles it. Not before its mail was handed over, not while offering is paused, and
-- not by a clock that is far ahead of the last sweep, which looks whether it leapt.
create or replace function offer_state(one offer) returns text language sql volatile as $$
  select case when one.state = 'open' and one.mailed_at is not null
      and one.expires_at <= clock_timestamp() and exists (
        select from mask_drop where number = one.drop_number and paused_at is null
          and (one.expires_at <= swept_at + interval '1 minute' or swept_at is null))
    then 'expired' else one.state end
$$;

-- The credit for a friend, if any, once the referrer is known. is_counted: at once, otherwise when
-- the friend confirms.
create or replace function first_credit(referrer_id uuid, is_counted boolean)
returns text language sql immutable as $$
  select case
    when referrer_id is null then 'none'
    when is_counted then 'given'
    else 'pending'
  end
$$;

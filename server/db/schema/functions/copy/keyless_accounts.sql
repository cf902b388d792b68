-- Accounts of tills whose keys are missing, as after a restore: the one that sells first, and those
-- that sold before, where refunds and disputes are seen by their keys alone.
create or replace function keyless_accounts() returns table (name text, is_chosen boolean)
language sql stable as $$
  select initcap(kind) || coalesce(' ' || far_id, ''), left_at is null from till_account account
  where kind <> 'link' and keys is null
    and (left_at is null or exists (select from till_payment where account_id = account.id))
  order by left_at desc nulls first, far_id;
$$;

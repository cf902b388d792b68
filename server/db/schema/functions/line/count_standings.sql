-- Keeps every count of the line, so that no writer can forget them; by statement, so that a batch
-- of hundreds writes each count once.
create or replace function count_standings() returns trigger language plpgsql as $$
declare
  added_keys bigint[] := '{}';
  removed_keys bigint[] := '{}';
  added_counts integer[] := '{}';
  removed_counts integer[] := '{}';
begin
  if tg_op <> 'DELETE' then
    select coalesce(array_agg(sort_key), '{}'), coalesce(array_agg(referral_count), '{}')
    into added_keys, added_counts from added;
  end if;
  if tg_op <> 'INSERT' then
    select coalesce(array_agg(sort_key), '{}'), coalesce(array_agg(referral_count), '{}')
    into removed_keys, removed_counts from removed;
  end if;
  if tg_op = 'UPDATE' then
    perform from line_state for update;
  else
    update line_state set total = total + cardinality(added_keys) - cardinality(removed_keys);
  end if;
  perform count_keys(added_keys, removed_keys);
  if 0 < any(added_counts) or 0 < any(removed_counts) then
    perform tally_referrals(added_counts, removed_counts);
  end if;
  return null;
end $$;

create or replace trigger standing_added after insert on standing
  referencing new table as added for each statement execute function count_standings();
create or replace trigger standing_moved after update on standing
  referencing new table as added old table as removed
  for each statement execute function count_standings();
create or replace trigger standing_removed after delete on standing
  referencing old table as removed for each statement execute function count_standings();

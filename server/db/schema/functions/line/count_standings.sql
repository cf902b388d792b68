-- Keeps every count of the line, so that no writer can forget them; by statement, so that a batch
-- of hundreds writes each count once. Announces members who move while their status page is open,
-- 200 to a message, which may have 8,000 bytes.
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
    if exists (select from live_member) then
      perform pg_notify('standing_moved', string_agg(moved.member_id::text, ','))
      from (
        select watched.member_id, row_number() over () / 200 as message
        from added cross join lateral (
          select live.member_id from live_member live where live.member_id = added.member_id
          limit 1 offset 0) watched
      ) moved
      group by moved.message;
    end if;
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

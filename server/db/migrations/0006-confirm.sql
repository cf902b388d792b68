-- A member's address was proved to be theirs; a credit that waited for it is given as join_members gives one. False when nobody has
-- the id. A function, so that the line is locked for one round trip.
create function confirm_member(confirming_id uuid) returns boolean
language plpgsql
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  line line_state;
  confirming member;
begin
  select * into strict line from line_state for update;
  select * into confirming from member where id = confirming_id;
  if not found then
    return false;
  end if;
  if confirming.confirmed_at is null or (confirming.referrer_id is not null and not confirming.is_credited) then
    update member set
      confirmed_at = coalesce(confirmed_at, clock_timestamp()),
      is_credited = referrer_id is not null
    where id = confirming_id;
  end if;
  if confirming.referrer_id is not null and not confirming.is_credited then
    update member set
      referral_count = referral_count + 1,
      sort_key = sort_key_of(line, sequence, referral_count + 1, is_invited)
    where id = confirming.referrer_id;
    insert into mail_news (member_id) values (confirming.referrer_id)
    on conflict (member_id) do update set look_after = excluded.look_after;
  end if;
  return true;
end $$;

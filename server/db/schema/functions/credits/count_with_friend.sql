-- The referral count that a friend made, of several who were credited to one referrer together:
-- later_* are those counted after them. Null for a friend who does not count yet.
create or replace function count_with_friend(
  asked_id uuid, is_confirmed boolean, later_confirmed bigint, later_unconfirmed bigint)
returns integer language sql stable as $$
  select referral_count
    - counting_friends(later_confirmed::integer, unconfirmed)
    + counting_friends(0, unconfirmed - later_unconfirmed::integer)
  from standing
  where member_id = asked_id
    and (is_confirmed or counting_friends(0, unconfirmed - later_unconfirmed::integer)
      > counting_friends(0, unconfirmed - later_unconfirmed::integer - 1))
$$;

-- Members whose codes an address was entered for, if there were several; none once it is confirmed.
-- Without those whom the member brought, and nobody if an operator decided about the friend of a
-- referrer who has left.
create or replace function possible_inviters(friend_id uuid) returns setof uuid
language plpgsql stable as $$
begin
  return query
    select inviter.id from member friend
    join member inviter on inviter.id = any(friend.other_inviters || friend.referrer_id)
    where friend.id = friend_id and friend.other_inviters is not null
      and not has_brought(friend.id, inviter.id)
      and (friend.referrer_id is not null
        or not exists (select from credit_case where member_id = friend.id));
end $$;

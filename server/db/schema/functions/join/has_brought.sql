-- Whether the friend came by the member's invite, or by that of somebody who did: then the member
-- cannot have come by the friend's. A chain of a thousand counts as such a one, so that its length
-- never holds up the line.
create or replace function has_brought(bringing_id uuid, friend_id uuid) returns boolean
language plpgsql stable as $$
declare
  above_id uuid := friend_id;
begin
  if not exists (select from member where referrer_id = bringing_id) then
    return false;
  end if;
  for step in 1..1000 loop
    select referrer_id into above_id from member where id = above_id;
    if above_id is null or above_id = bringing_id then
      return above_id is not null;
    end if;
  end loop;
  return true;
end $$;

create or replace function check_referrer() returns trigger language plpgsql as $$
begin
  perform from line_state for update;
  if not exists (select from standing where standing.member_id = new.referrer_id) then
    raise foreign_key_violation using message = 'The new referrer of a member is not in line.';
  end if;
  return null;
end $$;

create or replace trigger member_changed_referrer after update of referrer_id on member
  for each row
  when (new.referrer_id is not null and new.referrer_id is distinct from old.referrer_id)
  execute function check_referrer();

create or replace function refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'The line cannot be truncated: its counts would stay. Delete the members.';
end $$;

create or replace trigger member_not_truncated before truncate on member
  for each statement execute function refuse_truncate();
create or replace trigger standing_not_truncated before truncate on standing
  for each statement execute function refuse_truncate();

-- Refuses to leave the operators without an owner. Changes of operators wait for each other: two
-- owners that demote each other at once would both still see an owner.
create or replace function lock_operators() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7402114392);
  return null;
end $$;

create or replace function keep_an_owner() returns trigger language plpgsql as $$
begin
  if not exists (select from operator where role = 'owner') then
    raise check_violation using
      message = 'Operators without an owner.', constraint = 'operator_keeps_an_owner';
  end if;
  return null;
end $$;

create or replace trigger operator_locked before insert or update or delete on operator
  for each statement execute function lock_operators();
create or replace trigger operator_kept after insert or update or delete on operator
  for each statement execute function keep_an_owner();

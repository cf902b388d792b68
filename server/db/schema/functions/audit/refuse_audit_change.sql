create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is only ever added to.';
end $$;

create or replace trigger audit_entry_kept before update or delete or truncate on audit_entry
  for each statement execute function refuse_audit_change();
create or replace trigger audit_head_kept before delete or truncate on audit_head
  for each statement execute function refuse_audit_change();

-- Adds an entry to the audit log and returns its number. The lock on the head is held until the end
-- of the transaction, so this comes after every other lock. Runs as the owner of the log, which
-- servers may only read, and therefore with a search path that no caller can change.
create or replace function append_audit(
  actor_kind text, actor_id text, actor_name text, action text, subject_kind text,
  subject_id text, reason text, details jsonb)
returns bigint language plpgsql
security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  head audit_head;
  number bigint;
  moment timestamptz;
  next_hash bytea;
begin
  select * into strict head from audit_head for update;
  number := head.sequence + 1;
  moment := clock_timestamp();
  next_hash := sha256(head.hash || convert_to(
    jsonb_build_array(
      number, to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), actor_kind,
      actor_id, actor_name, action, subject_kind, subject_id, reason, details)::text, 'UTF8'));
  insert into audit_entry values (
    number, moment, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, reason,
    details, head.hash, next_hash);
  update audit_head set sequence = number, hash = next_hash;
  return number;
end $$;
revoke execute on function append_audit(text, text, text, text, text, text, text, jsonb)
  from public;

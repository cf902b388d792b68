-- What operators did. Entries are only ever added, by append_audit, and each has the hash of the
-- one before: docs/schema.md has the recipe. They name members by id, so that erasing a member
-- breaks nothing.
create table audit_entry (
  sequence bigint primary key check (sequence > 0), -- without gaps: also the number of a change
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('operator', 'api_key', 'token', 'system')),
  actor_id text,
  actor_name text not null,
  action text not null,
  subject_kind text, -- null, with subject_id, for none or many
  subject_id text,
  reason text not null,
  details jsonb not null,
  previous_hash bytea not null, -- empty in the first entry
  hash bytea not null,
  constraint audit_entry_whole_subject check ((subject_kind is null) = (subject_id is null))
);
create index audit_entry_subject on audit_entry (subject_kind, subject_id, sequence)
  where subject_kind is not null;

-- The last entry. Locking it orders the entries, so it is locked last of all.
create table audit_head (
  is_only_row boolean primary key default true check (is_only_row),
  sequence bigint not null default 0,
  hash bytea not null default ''
) with (fillfactor = 10);
insert into audit_head default values;

-- What an undo needs. May tell about a member, so it is deleted after a day, when used, and when
-- the member is erased.
create table undo_record (
  audit_sequence bigint primary key,
  member_id uuid,
  data jsonb not null,
  until timestamptz not null
);
create index undo_record_member on undo_record (member_id) where member_id is not null;
create index undo_record_until on undo_record (until);

-- Whoever may write rows here by default may not write into the log.
do $$
declare
  other regrole;
begin
  for other in
    select distinct acl.grantee from pg_class, aclexplode(relacl) acl
    where oid = 'audit_entry'::regclass and acl.grantee not in (0, relowner)
  loop
    execute format('revoke insert, update, delete on audit_entry, audit_head from %s', other);
  end loop;
end $$;

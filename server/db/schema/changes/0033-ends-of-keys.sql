-- Keys end with their maker: a removed operator takes theirs along. Keys that were left behind
-- before stay listed, ended, by the entry of the audit log that made them.
alter table api_key add column ends_at timestamptz; -- null: never
update api_key set ends_at = clock_timestamp()
where created_by is null and exists (
  select from audit_entry
  where subject_kind = 'key' and subject_id = api_key.id::text
    and action = 'make-key' and actor_kind = 'operator'
);
alter table api_key drop constraint api_key_created_by_fkey;
alter table api_key add constraint api_key_created_by_fkey
  foreign key (created_by) references operator on delete cascade; -- null: by the operator token

-- Two roles for the waitlist. "waitlist_owner" owns tables and functions, and changes them. Servers
-- run as "waitlist", which owns nothing: it reads and changes rows. In the database of the
-- waitlist, as a superuser, as often as you like:
--   psql -v ON_ERROR_STOP=1 --single-transaction -d waitlist -f deploy/postgresql-roles.sql
-- Then set their passwords (\password waitlist_owner), and create or update the tables:
--   DATABASE_URL=postgres://waitlist_owner:...@localhost/waitlist ./waitlist migrate

do $$ begin
  if to_regrole('waitlist_owner') is null then create role waitlist_owner login; end if;
  if to_regrole('waitlist') is null then create role waitlist login; end if;
end $$;

-- What servers owned until now.
reassign owned by waitlist to waitlist_owner;

-- Nobody else comes in, and a server makes no temporary tables either. The owner creates the schema
-- "pgboss", which is the mail queue's.
do $$ begin
  execute format('revoke all on database %I from public', current_database());
  execute format('revoke all on database %I from waitlist', current_database());
  execute format('grant connect on database %I to waitlist', current_database());
  execute format('grant connect, create on database %I to waitlist_owner', current_database());
end $$;
revoke create on schema public from public;
revoke create on schema public from waitlist;
grant usage on schema public to waitlist;
grant usage, create on schema public to waitlist_owner;

-- What the owner will create. Its only sequence is of an identity column.
alter default privileges for role waitlist_owner
  grant select, insert, update, delete on tables to waitlist;
alter default privileges for role waitlist_owner grant execute on functions to waitlist;
alter default privileges for role waitlist_owner grant usage on schemas to waitlist;

-- Everything that the owner has created already, except the records of applied changes and of what
-- operators did.
do $$
declare
  name text;
begin
  foreach name in array array['public', 'pgboss'] loop
    continue when to_regnamespace(name) is null;
    execute format('grant usage on schema %I to waitlist', name);
    execute format(
      'grant select, insert, update, delete on all tables in schema %I to waitlist', name);
    execute format('grant execute on all functions in schema %I to waitlist', name);
  end loop;
  if to_regclass('public.schema_change') is not null then
    revoke insert, update, delete on schema_change, schema_functions from waitlist;
  end if;
  if to_regclass('public.audit_entry') is not null then
    revoke insert, update, delete on audit_entry, audit_head from waitlist;
  end if;
end $$;

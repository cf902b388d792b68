-- The tables about members that an undone removal fills again: those whose rows go with the member
-- by a foreign key, and those without.
create or replace function side_tables() returns text[] language sql stable as $$
  select array_agg(relname::text order by relname)
    || '{campaign_mail, notification_due, opened_invite, parcel}'::text[]
  from pg_constraint join pg_class on pg_class.oid = conrelid
  where confrelid = 'member'::regclass and contype = 'f'
$$;

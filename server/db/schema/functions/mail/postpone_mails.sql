-- Keeps mails for later, each until its moment. A member for whom one waits gets that one alone:
-- any of them has the link.
create or replace function postpone_mails(
  member_ids uuid[], mail_kind text, moments timestamptz[])
returns void language plpgsql as $$
begin
  if member_ids = '{}' then
    return;
  end if;
  insert into postponed_mail (member_id, kind, due_at)
  select id, mail_kind, moment from unnest(member_ids, moments) as late (id, moment)
  on conflict do nothing;
end $$;

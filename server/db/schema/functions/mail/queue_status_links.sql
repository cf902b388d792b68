-- Queues the status link to members who tried to join again: at most once a day, and not in the 10
-- minutes after the join, whose own mail has the link.
create or replace function queue_status_links(known_ids uuid[], mail_kind text, moment timestamptz)
returns void
language plpgsql as $$
declare
  mails jsonb[];
begin
  with claimed as (
    insert into status_link_sent (member_id, sent_at)
    select distinct member.id, moment
    from unnest(known_ids) known_id
    cross join lateral (select id, joined_at from member where id = known_id offset 0) member
    where member.joined_at < moment - interval '10 minutes'
    on conflict (member_id) do update set sent_at = excluded.sent_at
      where status_link_sent.sent_at < excluded.sent_at - interval '1 day'
    returning member_id
  )
  select array_agg(jsonb_build_object('kind', mail_kind, 'memberId', member_id)) into mails
  from claimed;
  perform queue_mails(mails);
end $$;

-- Copies all rows about these members to removed_member. The caller holds the line lock, and
-- removes the members next.
create or replace function keep_removed(leaving_ids uuid[], removal_id uuid, keep_until timestamptz)
returns void language plpgsql as $$
declare
  side_table text;
begin
  insert into removed_member (
    member_id, removal, until, email_identity, member, side_rows, friends, address_hash)
  select leaving.id, removal_id, keep_until, leaving.email_identity, to_jsonb(leaving), '{}',
    coalesce(friends.list, '[]'), suppression.address_hash
  from member leaving
  left join lateral (
    select jsonb_agg(jsonb_build_object('id', id, 'credit', credit)) as list
    from member where referrer_id = leaving.id and id <> all(leaving_ids)
  ) friends on true
  left join lateral (
    select address_hash from mail_suppression where member_id = leaving.id limit 1
  ) suppression on true
  where leaving.id = any(leaving_ids);

  foreach side_table in array side_tables() loop
    execute format(
      'update removed_member removed
       set side_rows = removed.side_rows || jsonb_build_object(%L, side.list)
       from (
         select member_id, jsonb_agg(to_jsonb(one)) as list from %I one
         where member_id = any($1) group by member_id
       ) side
       where removed.member_id = side.member_id',
      side_table, side_table) using leaving_ids;
  end loop;
end $$;

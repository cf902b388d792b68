-- Copies all rows about these members to removed_member. The caller holds the line lock, and
-- removes the members next.
create or replace function keep_removed(leaving_ids uuid[], removal_id uuid, keep_until timestamptz)
returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
declare
  side_rows text;
begin
  -- Looked up for each member, so that the planner cannot read a table once for each of them.
  select string_agg(format(
    'coalesce((
       select jsonb_build_object(%L, jsonb_agg(to_jsonb(one))) from %I one
       where member_id = leaving.id having count(*) > 0
     ), ''{}'')',
    side_table, side_table), ' || ')
  into side_rows from unnest(side_tables()) side_table;

  execute
    'insert into removed_member (
       member_id, removal, until, email_identity, member, side_rows, friends, address_hash)
     select leaving.id, $2, $3, leaving.email_identity, to_jsonb(leaving), ' || side_rows || ',
       coalesce(friends.list, ''[]''), suppression.address_hash
     from member leaving
     left join lateral (
       select jsonb_agg(jsonb_build_object(''id'', id, ''credit'', credit)) as list
       from member where referrer_id = leaving.id and id <> all($1)
     ) friends on true
     left join lateral (
       select address_hash from mail_suppression where member_id = leaving.id limit 1
     ) suppression on true
     where leaving.id = any($1)'
  using leaving_ids, removal_id, keep_until;
end $$;

-- The mails of a member, waiting and settled in the last days, oldest first. The settings force
-- look-ups by key: a plan may be made while the tables are empty.
create or replace function read_mails(of_member uuid)
returns table (
  kind text, state text, outcome text, cause text, created_on timestamptz,
  completed_on timestamptz)
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    select data->>'kind', state::text, output->>'outcome', output->>'cause', created_on,
      completed_on
    from pgboss.job where (data->>'memberId')::uuid = of_member
    union all
    select batch.kind, 'created', null, null, member.joined_at, null
    from member
    cross join lateral (
      -- A batch has the members from its first sequence to the next batch's.
      select kind, member_ids from mail_outbox where first_sequence <= member.sequence
      order by first_sequence desc limit 1
    ) batch
    where member.id = of_member and of_member = any(batch.member_ids)
    order by created_on;
end $$;

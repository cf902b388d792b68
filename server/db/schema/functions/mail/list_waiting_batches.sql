-- Mails that still wait in the outbox, in the order of joining, after the one at "after_ordinal"
-- of the batch "after_sequence".
create or replace function list_waiting_batches(
  after_sequence bigint, after_ordinal bigint, at_most integer)
returns table (
  first_sequence bigint, ordinal bigint, kind text, queued_at timestamptz, member_id uuid,
  email text)
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    select mail.first_sequence, mail.ordinal, mail.kind, member.joined_at, member.id, member.email
    from (
      select batch.first_sequence, one.ordinal, batch.kind, one.member_id
      from (
        -- The first may be one that has been listed to its end.
        select * from mail_outbox
        where first_sequence >= after_sequence and cardinality(member_ids) > 0
        order by first_sequence limit at_most + 1
      ) batch
      cross join lateral unnest(batch.member_ids) with ordinality one (member_id, ordinal)
      where (batch.first_sequence, one.ordinal) > (after_sequence, after_ordinal)
      order by batch.first_sequence, one.ordinal
      limit at_most
    ) mail
    cross join lateral (
      select id, email, joined_at from member where member.id = mail.member_id offset 0
    ) member
    order by mail.first_sequence, mail.ordinal;
end $$;

-- The counts of the line as Fenwick trees. Where a row counted one bucket of sort keys, and a place added up hundreds of them from as
-- many pages, a row now holds the counts of 256 buckets side by side, so that the sum of any number of the first ones is read in at most
-- eight steps: a place is one row a level.

-- Before anything else, as everybody who joins does.
select rule from line_state for update;

-- Buckets of 2^shift keys, the 256 of one wider bucket in a row. Entry i of "sums" is the sum of as many slots up to the i-th as the
-- lowest set bit of i says (P. M. Fenwick, A new data structure for cumulative frequency tables, 1994); the last is all of them.
create table rank_node (
  shift integer not null,
  node bigint not null,
  sums integer[] not null check (sums[256] > 0),
  primary key (shift, node)
) with (fillfactor = 50);

-- Keys are counted from the smallest there can be, so that their order is also that of their bits.
create function node_of(sort_key bigint, shift integer) returns bigint language sql immutable as $$
  select (sort_key + 9007199254740992) >> (shift + 8)
$$;

create function slot_of(sort_key bigint, shift integer) returns integer language sql immutable as $$
  select ((sort_key + 9007199254740992) >> shift & 255)::integer
$$;

create function first_key_of(shift integer, node bigint, slot integer) returns bigint language sql immutable as $$
  select (((node << 8) + slot) << shift) - 9007199254740992
$$;

-- The members of the first so many slots, 0 to 256. Simple enough to become part of its caller.
create function members_before(sums integer[], slot integer) returns bigint language sql immutable as $$
  select case when slot & 1 <> 0 then sums[slot] else 0 end::bigint
    + case when slot & 2 <> 0 then sums[slot & 510] else 0 end
    + case when slot & 4 <> 0 then sums[slot & 508] else 0 end
    + case when slot & 8 <> 0 then sums[slot & 504] else 0 end
    + case when slot & 16 <> 0 then sums[slot & 496] else 0 end
    + case when slot & 32 <> 0 then sums[slot & 480] else 0 end
    + case when slot & 64 <> 0 then sums[slot & 448] else 0 end
    + case when slot & 128 <> 0 then sums[slot & 384] else 0 end
    + case when slot & 256 <> 0 then sums[256] else 0 end
$$;

-- Adds each of the changes to its slot.
create function add_to_slots(sums integer[], slots integer[], changes integer[]) returns integer[] language plpgsql immutable as $$
declare
  entry integer;
begin
  for i in 1..cardinality(slots) loop
    entry := slots[i] + 1;
    while entry <= 256 loop
      sums[entry] := sums[entry] + changes[i];
      entry := entry + (entry & -entry);
    end loop;
  end loop;
  return sums;
end $$;

-- Takes keys that came and keys that went into the counts. The caller holds the row of "line_state". Where nobody is left
-- is no row.
create function count_keys(added bigint[], removed bigint[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  merge into rank_node using (
    select shift, node, sum(members) as members, array_agg(slot) as slots, array_agg(members) as changes
    from (
      select
        step.shift, node_of(moved.sort_key, step.shift) as node, slot_of(moved.sort_key, step.shift) as slot,
        sum(moved.members)::integer as members
      from line_state line, unnest(line.bucket_shifts) as step (shift), (
        select sort_key, 1 as members from unnest(added) as sort_key union all select sort_key, -1 from unnest(removed) as sort_key
      ) moved
      group by 1, 2, 3
      having sum(moved.members) <> 0
    ) changed
    group by shift, node
  ) change on rank_node.shift = change.shift and rank_node.node = change.node
  when matched and rank_node.sums[256] + change.members = 0 then delete
  when matched then update set sums = add_to_slots(rank_node.sums, change.slots, change.changes)
  when not matched then insert (shift, node, sums)
    values (change.shift, change.node, add_to_slots(array_fill(0, array[256]), change.slots, change.changes));
end $$;

-- Counts the line anew, from its members.
create function count_line() returns void language plpgsql as $$
begin
  delete from rank_node;
  insert into rank_node (shift, node, sums)
  select shift, node, add_to_slots(array_fill(0, array[256]), array_agg(slot), array_agg(members))
  from (
    select
      step.shift, node_of(narrowest.first_key, step.shift) as node, slot_of(narrowest.first_key, step.shift) as slot,
      sum(narrowest.members)::integer as members
    from line_state line, unnest(line.bucket_shifts) as step (shift), lateral (
      select (sort_key >> line.bucket_shifts[1]) << line.bucket_shifts[1] as first_key, count(*) as members from member group by 1
    ) narrowest
    group by 1, 2, 3
  ) counted
  group by shift, node;
end $$;

create or replace function count_joined() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  update line_state line set
    total = line.total + joined.members,
    next_sequence = greatest(line.next_sequence, joined.last_sequence + 1),
    last_joined_at = greatest(line.last_joined_at, joined.last_joined_at)
  from (
    select count(*) as members, max(sequence) as last_sequence, max(joined_at) as last_joined_at from added
  ) joined
  where joined.members > 0;
  if exists (
    select from added
    where referrer_id is not null and not exists (select from member where member.id = added.referrer_id)
  ) then
    raise foreign_key_violation using message = 'The referrer of a new member is not in line.';
  end if;
  perform count_keys(array(select sort_key from added), '{}');
  return null;
end $$;

create or replace function count_moved() returns trigger language plpgsql as $$
begin
  perform from line_state for update;
  perform count_keys(array(select sort_key from added), array(select sort_key from removed));
  return null;
end $$;

create or replace function count_left() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  update line_state line set total = line.total - (select count(*) from removed);
  if exists (select from removed join member friend on friend.referrer_id = removed.id) then
    raise foreign_key_violation using message = 'Somebody in line was brought by a member who leaves.';
  end if;
  perform count_keys('{}', array(select sort_key from removed));
  delete from mail_news using removed where mail_news.member_id = removed.id;
  update mail_batch set member_ids = array(select id from unnest(member_ids) id where id not in (select removed.id from removed))
  where member_ids && array(select removed.id from removed);
  delete from idempotency_answer answer using removed
  where answer.key_hash = removed.answer_key_hash and answer.member_id = removed.id;
  delete from idempotency_answer answer using removed where answer.member_id = removed.id and answer.status_code <> 201;
  return null;
end $$;

-- The place that a key has or would have: 1, and who is ahead in the narrowest bucket, one by one, and per level the slots before its own.
create or replace function place_of(member_key bigint, shifts integer[]) returns table (place bigint) language sql stable as $$
  select 1
    + (select count(*) from member ahead
       where ahead.sort_key >= (member_key >> shifts[1]) << shifts[1] and ahead.sort_key < member_key)
    + (select coalesce(sum(members_before(own.sums, own.slot)), 0)::bigint
       from unnest(shifts) as step (shift)
       cross join lateral (
         select rank_node.sums, slot_of(member_key, step.shift) as slot from rank_node
         where rank_node.shift = step.shift and rank_node.node = node_of(member_key, step.shift)
         offset 0
       ) own)
$$;

-- As before, but members whose keys are right already are left alone: an upgrade may change nothing but how they are counted.
create or replace function rekey_line() returns void language plpgsql as $$
begin
  if exists (
    select from member, line_state line
    where member.sort_key <> sort_key_of(line, member.sequence, member.referral_count, member.is_invited)
  ) then
    alter table member disable trigger member_moved;
    alter table member drop constraint member_sort_key_key; -- half way, an old key may equal somebody's new one
    update member set sort_key = sort_key_of(line, member.sequence, member.referral_count, member.is_invited) from line_state line;
    alter table member add constraint member_sort_key_key unique (sort_key);
    alter table member enable trigger member_moved;
  end if;
  perform count_line();
end $$;

drop table rank_bucket;
update line_state line set bucket_shifts = array(select generate_series(line.bucket_shifts[1], 53, 8));
select count_line();

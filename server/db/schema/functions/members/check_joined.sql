-- What foreign keys would check row by row, each with a lock on the referenced row, is checked by
-- statement: all writers hold the line lock. Records the joins for webhooks.
create or replace function check_joined() returns trigger language plpgsql as $$
declare
  line_end bigint; -- sequences before it are of members who come back
  recorded text[];
begin
  select next_sequence, recorded_events into line_end, recorded from line_state for update;
  update line_state line set
    next_sequence = greatest(line.next_sequence, joined.last_sequence + 1),
    last_joined_at = greatest(line.last_joined_at, joined.last_joined_at)
  from (select max(sequence) as last_sequence, max(joined_at) as last_joined_at from added) joined
  where joined.last_sequence is not null;
  if exists (
    select from added
    where not exists (select from standing where standing.member_id = added.id offset 0)
  ) then
    raise foreign_key_violation using message = 'A new member has no standing.';
  end if;
  if exists (
    select from (select distinct referrer_id from added where referrer_id is not null) invited
    where not exists (select from standing where standing.member_id = invited.referrer_id offset 0)
  ) then
    raise foreign_key_violation using message = 'The referrer of a new member is not in line.';
  end if;
  if 'joined' = any(recorded) then
    perform
      record_event(
        'joined', array_agg(id order by sequence),
        array_agg(case when not is_later then credited_id end order by sequence),
        array_agg(case when not is_later then credits end order by sequence)),
      -- In an imported list a referrer may stand below a friend: told of first, then credited.
      case when 'credited' = any(recorded) then record_event(
        'credited', array_agg(id order by sequence) filter (where is_later),
        array_agg(credited_id order by sequence) filter (where is_later),
        array_agg(credits order by sequence) filter (where is_later)) end
    from (
      select id, sequence, case when credits is not null then credited_id end as credited_id,
        credits,
        coalesce((select member.sequence from member where member.id = credited_id offset 0)
          > sequence, false) as is_later
      from (
        select id, sequence, credited_id, count_with_friend(
          credited_id, confirmed_at is not null,
          count(*) filter (where confirmed_at is not null) over later,
          count(*) filter (where confirmed_at is null) over later) as credits
        from (
          select *, case when credit = 'given' then referrer_id end as credited_id
          from added where sequence >= line_end
        ) joined
        window later as (
          partition by credited_id order by sequence
          rows between 1 following and unbounded following)
      ) numbered
    ) counted;
  end if;
  return null;
end $$;

create or replace trigger member_joined after insert on member
  referencing new table as added for each statement execute function check_joined();

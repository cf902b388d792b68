-- Adds what a server has counted. Few sources without members get rows of their own in one quarter,
-- because anybody can invent them: the rest is 1, "other".
create or replace function add_counts(visits json, events json) returns void language plpgsql as $$
#variable_conflict use_column
declare
  now_quarter timestamptz := quarter_of(clock_timestamp());
  source_ids integer[] := learn_sources(visits, false);
begin
  update source set visits = source.visits + added.visits
  from (
    select source_ids[place] as id, sum(visits) as visits
    from rows from (json_to_recordset(visits) as (visits integer)) with ordinality
      as added (visits, place)
    group by 1
  ) added
  where source.id in (
    select id from source where id = any(source_ids) and joined_on is null order by id for update)
    and source.id = added.id;
  insert into visit_count as kept (quarter, page, source_id, visits)
  select now_quarter, page, case when is_counted then source_id else 1 end, sum(visits)
  from (
    select page, visits, source_ids[place] as source_id,
      (select count(*) from visit_count where quarter = now_quarter) < 200
      or exists (
        select from source
        where id = source_ids[place] and (joined_on is not null or is_pinned)
      )
      or exists (
        select from visit_count
        where quarter = now_quarter and page = added.page and source_id = source_ids[place]
      ) as is_counted
    from rows from (json_to_recordset(visits) as (page text, visits integer)) with ordinality
      as added (page, visits, place)
  ) placed
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (quarter, page, source_id) do update set visits = kept.visits + excluded.visits;
  insert into event_count as kept (quarter, event, events)
  select now_quarter, event, events
  from json_to_recordset(events) as added (event text, events integer)
  order by event
  on conflict (quarter, event) do update set events = kept.events + excluded.events;
end $$;

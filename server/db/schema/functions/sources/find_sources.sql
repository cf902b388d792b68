-- The ids of sources in the order asked for; null for an unknown one, and for joins also for one
-- that no member has joined by. In PL/pgSQL, which keeps its plans: a function in SQL is planned at
-- every call, which would slow joins.
create or replace function find_sources(wanted json, are_joins boolean) returns integer[]
language plpgsql stable as $$
begin
  return array(
    select known.id
    from rows from (json_to_recordset(wanted) as (key text)) with ordinality
      as asked (key, ordinal)
    left join lateral (
      select id from source
      where source.key = asked.key and (joined_on is not null or not are_joins)
      offset 0
    ) known on true
    order by asked.ordinal);
end $$;

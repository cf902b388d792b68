-- The ids of sources in the order asked for. Unknown ones are added as long as there are fewer than
-- max_sources, so that no visitor can grow the table without end; the rest is 1, "other". The lock
-- makes ids unique, and is only taken for unknown ones.
create or replace function learn_sources(wanted json, max_sources integer) returns integer[]
language plpgsql as $$
declare
  ids integer[] := find_sources(wanted);
begin
  if array_position(ids, null) is null then
    return ids;
  end if;
  if (select count(*) from source) < max_sources then
    lock table source in share row exclusive mode;
    insert into source
    select last.id + row_number() over (), added.*
    from (select max(id) as id, count(*) as sources from source) last
    cross join lateral (
      select distinct utm_source, utm_medium, utm_campaign, referring_host, via
      from json_to_recordset(wanted) as asked (
        utm_source text, utm_medium text, utm_campaign text, referring_host text, via text)
      where not exists (
        select from source
        where (utm_source, utm_medium, utm_campaign, referring_host, via) = (
          asked.utm_source, asked.utm_medium, asked.utm_campaign, asked.referring_host, asked.via))
      limit greatest(0, max_sources - last.sources)
    ) added;
    ids := find_sources(wanted);
  end if;
  return array_replace(ids, null, 1);
end $$;

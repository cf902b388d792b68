-- The ids of sources in the order asked for; null for an unknown one. In PL/pgSQL, which keeps its
-- plans: a function in SQL is planned at every call, which would slow joins.
create or replace function find_sources(wanted json) returns integer[] language plpgsql stable as $$
begin
  return array(
    select known.id
    from rows from (
      json_to_recordset(wanted) as (
        utm_source text, utm_medium text, utm_campaign text, referring_host text, via text)
    ) with ordinality as asked (
      utm_source, utm_medium, utm_campaign, referring_host, via, ordinal)
    left join lateral (
      select id from source
      where (utm_source, utm_medium, utm_campaign, referring_host, via) = (
        asked.utm_source, asked.utm_medium, asked.utm_campaign, asked.referring_host, asked.via)
      offset 0
    ) known on true
    order by asked.ordinal);
end $$;

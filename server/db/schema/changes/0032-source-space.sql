-- Sources that only visits named make room for newer ones. Those of members stay, and pinned ones.
alter table source
  add column key text collate "C", -- the values in lower case, a line each
  add column visits integer not null default 0, -- of a source without members: the fewest goes
  add column joined_on date, -- when a member first joined by it; null: none has
  add column is_pinned boolean not null default false; -- by an operator
update source set
  key = concat_ws(E'\n', utm_source, utm_medium, utm_campaign, referring_host, via),
  visits = coalesce((select sum(visits) from visit_count where source_id = source.id), 0),
  joined_on = case
    when id in (0, 1) or exists (select from join_count where source_id = source.id)
      or exists (select from member where source_id = source.id)
    then date '2000-01-01' end;
alter table source
  alter column key set not null,
  add unique (key),
  drop constraint source_utm_source_utm_medium_utm_campaign_referring_host_vi_key;

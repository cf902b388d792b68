-- Where visitors come from, each combination once. Text is compared as bytes: by equality alone.
create table source (
  id integer primary key,
  utm_source text collate "C" not null default '', -- empty: not told, like the next ones
  utm_medium text collate "C" not null default '',
  utm_campaign text collate "C" not null default '',
  referring_host text collate "C" not null default '',
  via text collate "C" not null default '', -- how an invite link was shared
  unique (utm_source, utm_medium, utm_campaign, referring_host, via)
);
-- Always there: nothing is known, and what came when the table was full.
insert into source (id, utm_source) values (0, ''), (1, '(other)');

-- Without a reference, which would be checked for every member: sources are never deleted.
alter table member add column source_id integer; -- null: nothing is known

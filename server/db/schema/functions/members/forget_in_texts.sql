-- Forgets what operators wrote that names one of these members, given as their rows. An address is
-- blotted out of campaigns, allocations, and notes about others. The text that a campaign is
-- filtered by goes whole: an address, as much of it as names one person, a code
-- or an id. A name in words is not recognised.
create or replace function forget_in_texts(gone jsonb[]) returns void language plpgsql as $$
declare
  address text;
  pattern text;
begin
  update campaign set filter = jsonb_set(filter, '{text}', '"…"'), revision = revision + 1
  where filter->>'text' <> '…' and exists (
    select from unnest(gone) one
    cross join lateral (select lower(btrim(filter->>'text')) as text) sought
    cross join lateral (values (one->>'email_identity'), (lower(one->>'email'))) address (name)
    where sought.text in (one->>'id', lower(one->>'referral_code'), split_part(name, '@', 1))
      or (strpos(name, sought.text) > 0 and sought.text like '_%@%'));

  for address in
    select distinct lower(name) from unnest(gone) one
    cross join lateral (values (one->>'email_identity'), (one->>'email')) address (name)
    where exists (
      select from (
        select subject || ' ' || body as words from campaign
        union all select note || ' ' || coalesce(release_note, '') from allocation
        union all select body from member_note
      ) text
      where words like '%@%' and strpos(lower(words), lower(name)) > 0)
  loop
    -- Not within a longer address.
    pattern := '(?<![[:alnum:]._%+-])' || regexp_replace(address, '([^[:alnum:]])', '\\\1', 'g')
      || '(?![[:alnum:]_-]|[.][[:alnum:]])';
    update campaign set
      subject = regexp_replace(subject, pattern, '…', 'gi'),
      body = regexp_replace(body, pattern, '…', 'gi'),
      parsed = null,
      revision = revision + 1
    where subject || ' ' || body ~* pattern;
    update allocation set
      note = regexp_replace(note, pattern, '…', 'gi'),
      release_note = regexp_replace(release_note, pattern, '…', 'gi')
    where note || ' ' || coalesce(release_note, '') ~* pattern;
    update member_note set body = regexp_replace(body, pattern, '…', 'gi') where body ~* pattern;
  end loop;
end $$;

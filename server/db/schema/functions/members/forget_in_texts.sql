-- Forgets the text that a campaign is filtered by where it names one of these members, given as
-- their rows: an address, as much of it as names one person, a code or an id.
create or replace function forget_in_campaigns(gone jsonb[]) returns void language plpgsql as $$
begin
  update campaign set filter = jsonb_set(filter, '{text}', '"…"'), revision = revision + 1
  where filter->>'text' <> '…' and exists (
    select from unnest(gone) one
    cross join lateral (select lower(btrim(filter->>'text')) as text) sought
    cross join lateral (values (one->>'email_identity'), (lower(one->>'email'))) address (name)
    where sought.text in (one->>'id', lower(one->>'referral_code'), split_part(name, '@', 1))
      or (strpos(name, sought.text) > 0 and sought.text like '_%@%'));
end $$;

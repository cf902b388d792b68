-- Counts members by their referral count: those above 0 that were added and removed.
create or replace function tally_referrals(added integer[], removed integer[])
returns void language plpgsql
set enable_material = off as $$
begin
  merge into referral_tally tally using (
    select referral_count, sum(members) as members
    from (
      select referral_count, 1 as members from unnest(added) as referral_count
      union all select referral_count, -1 from unnest(removed) as referral_count
    ) changed
    where referral_count > 0
    group by referral_count
    having sum(members) <> 0
  ) change on tally.referral_count = change.referral_count
  when matched and tally.members + change.members = 0 then delete
  when matched then update set members = tally.members + change.members
  when not matched then
    insert (referral_count, members) values (change.referral_count, change.members);
end $$;

-- Works out every standing and count anew from the members, after a restore. The caller holds the
-- line lock and owns the tables: only an owner may switch triggers off.
create or replace function rebuild_line() returns void language plpgsql as $$
begin
  alter table standing disable trigger user;
  delete from standing;
  insert into standing (member_id, sort_key, referral_count)
  select member.id,
    sort_key_of(
      member.sequence, coalesce(given.friends, 0), member.is_invited, member.point_adjustment),
    coalesce(given.friends, 0)
  from member
  left join (
    select referrer_id, count(*)::integer as friends
    from member where credit = 'given' group by referrer_id
  ) given on given.referrer_id = member.id
  order by member.sequence;
  alter table standing enable trigger user;
  perform count_line();
end $$;

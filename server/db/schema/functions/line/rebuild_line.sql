-- Works out every standing and count anew from the members, after a restore. The caller holds the
-- line lock and owns the tables: only an owner may switch triggers off.
create or replace function rebuild_line() returns void language plpgsql as $$
begin
  alter table standing disable trigger user;
  delete from standing;
  insert into standing (member_id, sort_key, referral_count, unconfirmed)
  select member.id,
    sort_key_of(member.sequence, own.friends, member.is_invited, member.point_adjustment),
    own.friends, coalesce(given.unconfirmed, 0)
  from member
  left join (
    select referrer_id, count(confirmed_at)::integer as confirmed,
      (count(*) - count(confirmed_at))::integer as unconfirmed
    from member where credit = 'given' group by referrer_id
  ) given on given.referrer_id = member.id
  cross join lateral (
    select coalesce(counting_friends(given.confirmed, given.unconfirmed), 0) as friends
  ) own
  order by member.sequence;
  alter table standing enable trigger user;
  perform count_line();
end $$;

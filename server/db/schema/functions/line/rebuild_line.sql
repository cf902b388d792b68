-- Works out every standing and count anew from the members: after a changed rule and after a
-- restore. The caller holds the line lock. Only the owner of a table may switch its triggers off,
-- so this runs as its owner, and therefore with a search path that no caller can change.
create or replace function rebuild_line() returns void language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  alter table standing disable trigger user;
  delete from standing;
  insert into standing (member_id, sort_key, referral_count)
  select member.id,
    sort_key_of(
      line, member.sequence, coalesce(given.friends, 0), member.is_invited,
      member.point_adjustment),
    coalesce(given.friends, 0)
  from line_state line, member
  left join (
    select referrer_id, count(*)::integer as friends
    from member where credit = 'given' group by referrer_id
  ) given on given.referrer_id = member.id
  order by member.sequence;
  alter table standing enable trigger user;
  perform count_line();
end $$;
revoke execute on function rebuild_line() from public;

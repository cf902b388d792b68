-- Records what happened to members, for webhooks. The caller holds the line lock, and found the
-- kind in recorded_events. The last row is never deleted, so no sequence comes twice.
--   joined    new members; for each, who was credited for them at once
--   credited  friends whose credit was given later, and who got it
--   left      members who were removed
create or replace function record_event(
  event_kind text, members uuid[], referrers uuid[], counts integer[])
returns void language plpgsql as $$
begin
  insert into line_event (
    sequence, kind, happened_at, member_ids, referrer_ids, referral_counts)
  values (
    coalesce((select max(sequence) from line_event), 0) + 1, event_kind, clock_timestamp(),
    members, referrers, counts);
end $$;

-- Records what happened to members, for webhooks. The caller holds the line lock, and found the
-- kind in recorded_events. The last row is never deleted, so no sequence comes twice. A row has at
-- most 64 members: whoever makes deliveries of it reads it whole each time.
--   joined    new members; for each, who was credited for them at once
--   credited  friends whose credit was given later, and who got it
--   left      members who were removed
--   returned  members whose removal was undone
-- Events of offers come from number_offer_events.
create or replace function record_event(
  event_kind text, members uuid[], referrers uuid[], counts integer[])
returns void language plpgsql as $$
begin
  -- Members are told in the order in which things happened to them.
  perform number_offer_events();
  insert into line_event (
    sequence, kind, happened_at, member_ids, referrer_ids, referral_counts)
  select last.sequence + (first + 63) / 64, event_kind, clock_timestamp(),
    members[first:first + 63], referrers[first:first + 63], counts[first:first + 63]
  from generate_series(1, cardinality(members), 64) first
  cross join (select coalesce(max(sequence), 0) as sequence from line_event) last;
end $$;

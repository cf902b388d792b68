-- Looks up what every request needs to know. Lateral with "offset 0", so that a plan made while the
-- tables were empty can only look up by key.
create or replace function meet_requests(input json, moment timestamptz)
returns met_request[] language plpgsql stable as $$
begin
  return array(
    select row (
      request.ordinal, request.source, referrer.id, known.id, kept.id, kept.request_hash,
      request.member)::met_request
    from json_to_recordset(input) as request (
      ordinal integer, source integer, referred_by text, member member)
    left join lateral (
      select id from member where email_identity = (request.member).email_identity offset 0
    ) known on true
    left join lateral (
      select id from member where referral_code = request.referred_by offset 0
    ) referrer on true
    left join lateral (
      select id, member.request_hash from member
      where key_hash = (request.member).key_hash and joined_at > moment - interval '24 hours'
      limit 1
    ) kept on true);
end $$;

-- Looks up what every request needs to know. Lateral with "offset 0", so that a plan made while the
-- tables were empty can only look up by key.
create or replace function meet_requests(input json, moment timestamptz)
returns met_request[] language plpgsql stable as $$
begin
  return array(
    select row (
      request.ordinal, request.id, request.email, request.email_identity, request.referral_code,
      request.key_hash, request.request_hash, request.source, referrer.id,
      known.id, kept.id, kept.request_hash)::met_request
    from json_to_recordset(input) as request (
      ordinal integer, id uuid, email text, email_identity text, referral_code text,
      referred_by text, key_hash uuid, request_hash uuid, source integer)
    left join lateral (
      select id from member where email_identity = request.email_identity offset 0
    ) known on true
    left join lateral (
      select id from member where referral_code = request.referred_by offset 0
    ) referrer on true
    left join lateral (
      select id, member.request_hash from member
      where key_hash = request.key_hash and joined_at > moment - interval '24 hours' limit 1
    ) kept on true);
end $$;

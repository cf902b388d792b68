-- Looks up what every request needs to know, and numbers the members that the requests make: of
-- several requests for one address the first, and nobody while joining is paused. Lateral with
-- "offset 0", so that a plan made while the tables were empty can only look up by key. Returns them
-- in the order of the input.
create or replace function meet_requests(input json, moment timestamptz, line line_state)
returns met_request[] language plpgsql stable as $$
begin
  return array(
    select row (
      ordinal, id, email_identity, referral_code, key_hash, request_hash, source, referrer_id,
      known_id, kept_id, is_repeated, sequence,
      sort_key_of(sequence, 0, referrer_id is not null, 0))::met_request
    from (
      select *,
        case when is_first
          then line.next_sequence - 1 + count(*) filter (where is_first) over (order by ordinal)
        end as sequence
      from (
        select request.*, referrer.id as referrer_id, known.id as known_id, kept.id as kept_id,
          kept.request_hash = request.request_hash as is_repeated,
          line.paused_at is null and ordinal = min(ordinal) filter (
            where known.id is null and kept.id is null
          ) over (partition by email_identity) as is_first
        from json_to_recordset(input) as request (
          ordinal integer, id uuid, email_identity text, referral_code text, referred_by text,
          key_hash uuid, request_hash uuid, source integer)
        left join lateral (
          select id from member where email_identity = request.email_identity offset 0
        ) known on true
        left join lateral (
          select id from member where referral_code = request.referred_by offset 0
        ) referrer on true
        left join lateral (
          select id, member.request_hash from member
          where key_hash = request.key_hash and joined_at > moment - interval '24 hours' limit 1
        ) kept on true
      ) met
    ) numbered
    order by ordinal);
end $$;

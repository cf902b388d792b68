-- Looks up what every request needs to know. Doubts are about the credit: without a referrer there
-- are none. own_score, for a referrer whom the server does not remember: the score if the mailbox
-- that joins is the referrer's.
-- Lateral with "offset 0", so that a plan made while the tables were empty can only look
-- up by key.
create or replace function meet_requests(input json, moment timestamptz)
returns met_request[] language plpgsql stable as $$
declare
  is_any_on_hold boolean := exists(select from code_hold);
begin
  return array(
    select row (
      request.ordinal, request.id, request.email, request.email_identity, request.referral_code,
      request.key_hash, request.request_hash, request.source,
      request.mail_at, referrer.id,
      case when referrer.id is not null then nullif(
        case when referrer.is_own then array['own-mailbox'] else '{}' end
          || request.rules
          || case when referrer.is_on_hold then array['code-on-hold'] else '{}' end,
        '{}') end,
      coalesce(case when referrer.is_own then request.own_score else request.score end, 0),
      referrer.id is not null and (
        referrer.is_on_hold
        or coalesce(
          case when referrer.is_own then request.own_holds else request.holds end, false)),
      known.id, kept.id, kept.request_hash)::met_request
    from json_to_recordset(input) as request (
      ordinal integer, id uuid, email text, email_identity text, referral_code text,
      referred_by text,
      key_hash uuid, request_hash uuid, source integer,
      mail_at timestamptz, rules text[], score integer, holds boolean,
      own_score integer, own_holds boolean)
    left join lateral (
      select id from member where email_identity = request.email_identity offset 0
    ) known on true
    left join lateral (
      select id,
        is_any_on_hold and exists(select from code_hold where member_id = member.id) as is_on_hold,
        -- All spellings begin with the same letter, which costs less to compare.
        request.own_score is not null
          and left(member.email_identity, 1) = left(request.email_identity, 1)
          and mailbox_of(member.email_identity) = mailbox_of(request.email_identity) as is_own
      from member where referral_code = request.referred_by offset 0
    ) referrer on true
    left join lateral (
      select id, member.request_hash from member
      where key_hash = request.key_hash and joined_at > moment - interval '24 hours' limit 1
    ) kept on true);
end $$;

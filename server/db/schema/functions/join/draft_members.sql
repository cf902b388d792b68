-- The members that the requests bring, in the order of their sort keys. Of several requests for one
-- address the first joins.
create or replace function draft_members(requests met_request[], line line_state)
returns drafted_member[]
language plpgsql stable as $$
begin
  return array(
    select row (
      id, sequence, key.sort_key, email, email_identity, referral_code, key_hash, request_hash,
      source, referrer_id, ordinal)::drafted_member
    from (
      select first.*,
        line.next_sequence - 1 + row_number() over (order by first.ordinal) as sequence
      from (
        select distinct on (email_identity) *
        from unnest(requests)
        where known_id is null and kept_id is null
        order by email_identity, ordinal
      ) first
    ) numbered
    cross join lateral (
      select sort_key_of(sequence, 0, referrer_id is not null, 0) as sort_key
    ) key
    order by key.sort_key);
end $$;

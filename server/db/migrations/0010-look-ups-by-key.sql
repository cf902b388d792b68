-- Look-ups by key alone, and places by widths that are read once. The plan of a statement in these functions is made once for a connection,
-- perhaps while a table is empty: what it then joins freely, it goes on to read as a whole when the table is long since full.

-- The place that a key has or would have, by the widths of the counted buckets.
create function place_of(member_key bigint, shifts integer[]) returns table (place bigint) language sql stable as $$
  select 1
    + (select count(*) from member ahead
       where ahead.sort_key >= (member_key >> shifts[1]) << shifts[1] and ahead.sort_key < member_key)
    + (select coalesce(sum(counted.members), 0)::bigint
       from unnest(shifts, shifts[2:]) with ordinality as step (shift, wider, level)
       cross join lateral (
         select rank_bucket.members from rank_bucket
         where rank_bucket.level = step.level
           and rank_bucket.bucket < member_key >> step.shift
           and rank_bucket.bucket >= coalesce((member_key >> step.wider) << (step.wider - step.shift), -9007199254740991)
         offset 0
       ) counted)
$$;

create or replace function place_of(member_key bigint) returns table (place bigint) language sql stable as $$
  select place_of.place from line_state line cross join lateral place_of(member_key, line.bucket_shifts)
$$;

-- As before, but the widths are read once for all members.
create or replace function read_members(member_ids uuid[], is_credit_waiting boolean)
returns table (
  id uuid, email text, referral_code text, referral_count integer, place bigint, pending_referrals integer, is_confirmed boolean)
language plpgsql stable
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  shifts integer[];
begin
  select line.bucket_shifts into shifts from line_state line;
  return query
    select member.id, member.email, member.referral_code, member.referral_count, place_of.place,
      case when is_credit_waiting then (
        select count(*)::integer from member friend where friend.referrer_id = member.id and not friend.is_credited
      ) end,
      member.confirmed_at is not null
    from unnest(member_ids) as asked (id)
    join member on member.id = asked.id
    cross join lateral place_of(member.sort_key, shifts);
end $$;

-- As before: a batch of joins in one transaction and one round trip. Answers one row for each key hash, or for each id where there is
-- none; no row for a request whose referral code is taken, which the caller asks again with another code.
-- status_code 201: joined, 409: the address is known. All of a batch join at the same instant, later than every
-- join before it, and their places are those when the whole batch is in line. gives_credit: to the referrer now; otherwise when
-- the friend confirms. joined_mail and known_mail: the kind of mail for who joined and for who was there already, null for none.
-- body_end: what follows the place in the answer to everybody who joins.
-- Look-ups are lateral, with "offset 0", so that they can only be made by key.
create or replace function join_members(
  input json, body_end text, known_body text, gives_credit boolean, joined_mail text, known_mail text)
returns table (slot text, request_hash text, status_code smallint, body text, member_id uuid)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  before line_state;
  moment timestamptz;
  answers idempotency_answer[];
  expired text;
  pending pending_join[];
  fresh pending_join[];
  places bigint[];
  mails jsonb[];
begin
  select * into strict before from line_state for update;
  moment := greatest(clock_timestamp(), before.last_joined_at + interval '1 microsecond');

  -- Of several with one key the first is decided; the caller gives its answer to the others.
  pending := array(
    select row (
      request.ordinal, request.id, request.email, request.email_identity, request.referral_code, request.key_hash,
      request.request_hash, request.body_before_place,
      known.id is not null, code.id is not null, referrer.id, null, null)::pending_join
    from (
      select distinct on (coalesce(key_hash, id::text)) *
      from json_populate_recordset(null::join_request, input)
      order by coalesce(key_hash, id::text), ordinal
    ) request
    left join lateral (select id from member where email_identity = request.email_identity offset 0) known on true
    left join lateral (select id from member where referral_code = request.referral_code offset 0) code on true
    left join lateral (select id from member where referral_code = request.referred_by offset 0) referrer on true);

  answers := array(
    select answer
    from unnest(pending) request
    cross join lateral (select * from idempotency_answer where key_hash = request.key_hash offset 0) answer);
  if answers <> '{}' then
    return query
      select key_hash, request_hash, status_code, body, member_id
      from unnest(answers) where created_at > moment - interval '24 hours';
    for expired in select key_hash from unnest(answers) where created_at <= moment - interval '24 hours' loop
      delete from idempotency_answer where key_hash = expired;
    end loop;
    pending := array(
      select request from unnest(pending) request
      where not exists (
        select from unnest(answers) answer
        where answer.key_hash = request.key_hash and answer.created_at > moment - interval '24 hours'));
  end if;

  fresh := array(
    select row (
      ordinal, id, email, email_identity, referral_code, key_hash, request_hash, body_before_place,
      is_known, is_code_taken, referrer_id, sequence, sort_key_of(before, sequence, 0, referrer_id is not null))::pending_join
    from (
      select first.*, before.next_sequence - 1 + row_number() over (order by first.ordinal) as sequence
      from (
        select distinct on (email_identity)
          ordinal, id, email, email_identity, referral_code, key_hash, request_hash, body_before_place,
          is_known, is_code_taken, referrer_id
        from unnest(pending)
        where not is_known and not is_code_taken
        order by email_identity, ordinal
      ) first
    ) numbered
    order by sequence);

  if fresh <> '{}' then
    insert into member (
      id, sequence, sort_key, email, email_identity, referral_code, is_invited, referrer_id, is_credited, joined_at, answer_key_hash)
    select
      id, sequence, sort_key, email, email_identity, referral_code,
      referrer_id is not null, referrer_id, gives_credit and referrer_id is not null, moment, key_hash
    from unnest(fresh);

    if gives_credit then
      with credited as (
        update member set
          referral_count = member.referral_count + credit.friends,
          sort_key = sort_key_of(before, member.sequence, member.referral_count + credit.friends, member.is_invited)
        from (
          select referrer_id, count(*)::integer as friends from unnest(fresh) where referrer_id is not null group by referrer_id
        ) credit
        where member.id = credit.referrer_id
        returning member.id
      )
      insert into mail_news (member_id)
      select credited.id from credited
      where (select due.look_after from mail_news due where due.member_id = credited.id) is distinct from '-infinity'
      on conflict (member_id) do update set look_after = excluded.look_after; -- a tier does not wait for the day of the next mail
    end if;

    -- The places of the new members in order of their sequence. They stand close together, so the start of each narrowest bucket
    -- among them is looked up once and the rest is counted from there.
    places := array(
      select ranked.place
      from (
        select member.sequence, touched.place - 1
          + row_number() over (partition by touched.first_key order by member.sort_key) as place
        from (
          select bucket.first_key, place_of.place
          from (
            select distinct (sort_key >> before.bucket_shifts[1]) << before.bucket_shifts[1] as first_key from unnest(fresh)
          ) bucket
          cross join lateral place_of(bucket.first_key, before.bucket_shifts)
          offset 0 -- else the place is worked out again for every member of the bucket
        ) touched
        join member on member.sort_key >= touched.first_key
          and member.sort_key < touched.first_key + (1::bigint << before.bucket_shifts[1])
      ) ranked
      where ranked.sequence >= before.next_sequence
      order by ranked.sequence);

    if joined_mail is not null then
      insert into mail_batch (first_sequence, kind, member_ids)
      values (before.next_sequence, joined_mail, array(select id from unnest(fresh)));
    end if;

    return query
      with decided as (
        select
          key_hash, id, request_hash, body_before_place || places[sequence - before.next_sequence + 1] || body_end as body
        from unnest(fresh)
      ), stored as (
        insert into idempotency_answer (key_hash, request_hash, status_code, body, member_id, created_at)
        select key_hash, request_hash, 201, body, id, moment from decided where key_hash is not null
      )
      select coalesce(key_hash, id::text), request_hash, 201::smallint, body, id from decided;
  end if;

  if cardinality(fresh) < cardinality(pending) then
    -- Who joined in the last minutes has the link from their first mail.
    if known_mail is not null then
      with claimed as (
        insert into status_mail (member_id, sent_at)
        select distinct member.id, moment
        from unnest(pending) request
        join member on member.email_identity = request.email_identity
        where member.id <> request.id and member.joined_at < moment - interval '10 minutes'
        on conflict (member_id) do update set sent_at = excluded.sent_at
          where status_mail.sent_at < excluded.sent_at - interval '10 minutes'
        returning member_id
      )
      select array_agg(jsonb_build_object('kind', known_mail, 'memberId', claimed.member_id)) into mails from claimed;
      perform queue_mails(mails);
    end if;

    return query
      with decided as (
        select request.key_hash, request.id, request.request_hash, member.id as member_id
        from unnest(pending) request
        join member on member.email_identity = request.email_identity
        where member.id <> request.id
      ), stored as (
        insert into idempotency_answer (key_hash, request_hash, status_code, body, member_id, created_at)
        select key_hash, request_hash, 409, known_body, member_id, moment from decided where key_hash is not null
      )
      select coalesce(key_hash, id::text), request_hash, 409::smallint, known_body, member_id from decided;
  end if;
end $$;

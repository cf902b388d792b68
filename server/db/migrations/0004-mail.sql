-- Mail: what was told to whom, who is not written to, and the joins that queue their mail in their own transaction.
-- The queue itself is pg-boss's; server/db/queue-schema.ts installs it.

alter table member add column confirmed_at timestamptz; -- null: this address was never proved to be theirs
create index member_waiting_credit on member (referrer_id) where referrer_id is not null and not is_credited;

-- What a member was last told of, so that nothing is told twice and nothing too often. Goes with the member. Who writes here has
-- locked the member before and waits for nobody: a join, which does the same one after the other, could wait for it in turn.
create table mail_told (
  member_id uuid primary key references member on delete cascade,
  referral_count integer not null default 0, -- by the tiers of so many referrals, too
  friends_at timestamptz,
  tier_level integer not null default 0,
  hundred_at timestamptz
);
insert into mail_told (member_id, referral_count) select id, referral_count from member where referral_count > 0;

-- Members who have been credited and not been looked at since, or whose next mail may not go out before look_after.
create table mail_news (
  member_id uuid primary key references member on delete cascade,
  look_after timestamptz not null default '-infinity'
);
create index mail_news_look_after on mail_news (look_after);

-- Who believes to be among the first hundred: were there at the last look, but for those who are told of a change later.
create table hundred_member (
  member_id uuid primary key references member on delete cascade
);

-- Up to which member the line had come when the hundred was last looked at: who joined later knows their place from the join.
create table hundred_look (
  is_only_row boolean primary key default true check (is_only_row),
  next_sequence bigint not null default 1
) with (fillfactor = 10);
insert into hundred_look default values;

-- Addresses that are not written to, as keyed hashes: kept when the member has gone.
create table mail_suppression (
  address_hash text primary key,
  reason text not null check (reason in ('stopped', 'bounced', 'complained')),
  since timestamptz not null default clock_timestamp()
);

-- When the next mail may leave, whichever server sends it.
create table mail_pace (
  is_only_row boolean primary key default true check (is_only_row),
  next_at timestamptz not null default '-infinity'
) with (fillfactor = 10);
insert into mail_pace default values;

-- By which servers of one database notice that they do not have the same secret key.
create table secret_check (
  is_only_row boolean primary key default true check (is_only_row),
  fingerprint text not null
);

-- Puts mails, {"kind", "memberId", ...} each, into pg-boss's queue as its own send would, but in any transaction and round trip.
create function queue_mails(mails jsonb[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan as $$
begin
  insert into pgboss.job (
    name, data, start_after, created_on, keep_until, policy, expire_seconds, deletion_seconds, heartbeat_seconds,
    retry_limit, retry_delay, retry_backoff, retry_delay_max)
  select
    queue.name, mail, now(), now(), now() + make_interval(secs => queue.retention_seconds), queue.policy,
    queue.expire_seconds, queue.deletion_seconds, queue.heartbeat_seconds,
    queue.retry_limit, queue.retry_delay, queue.retry_backoff, queue.retry_delay_max
  from unnest(mails) mail, pgboss.queue queue
  where queue.name = 'mail';
end $$;

drop function join_members(json, text);

-- A batch of joins in one transaction and one round trip. Answers one row for each key hash, or for each id where there is
-- none; no row for a request whose referral code is taken, which the caller asks again with another code.
-- status_code 201: joined, 409: the address is known. All of a batch join at the same instant, later than every
-- join before it, and their places are those when the whole batch is in line. gives_credit: to the referrer now; otherwise when
-- the friend confirms. joined_mail and known_mail: the kind of mail for who joined and for who was there already, null for none.
create function join_members(input json, known_body text, gives_credit boolean, joined_mail text, known_mail text)
returns table (slot text, request_hash text, status_code smallint, body text, member_id uuid)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  before line_state;
  moment timestamptz;
  requests join_request[];
  pending join_request[];
  places bigint[];
  mails jsonb[];
begin
  select * into strict before from line_state for update;
  moment := greatest(clock_timestamp(), before.last_joined_at + interval '1 microsecond');
  requests := array(select request from json_populate_recordset(null::join_request, input) request);

  return query
    select distinct answer.key_hash, answer.request_hash, answer.status_code, answer.body, answer.member_id
    from unnest(requests) request
    join idempotency_answer answer on answer.key_hash = request.key_hash
    where answer.created_at > moment - interval '24 hours';

  -- Of several with one key the first is decided; the caller gives its answer to the others.
  pending := array(
    select distinct on (coalesce(request.key_hash, request.id::text)) request
    from unnest(requests) request
    where not exists (
      select from idempotency_answer answer
      where answer.key_hash = request.key_hash and answer.created_at > moment - interval '24 hours')
    order by coalesce(request.key_hash, request.id::text), request.ordinal);

  insert into member (
    id, sequence, sort_key, email, email_identity, referral_code, is_invited, referrer_id, is_credited, joined_at)
  select
    fresh.id, fresh.sequence, sort_key_of(before, fresh.sequence, 0, fresh.referrer_id is not null),
    fresh.email, fresh.email_identity, fresh.referral_code,
    fresh.referrer_id is not null, fresh.referrer_id, gives_credit and fresh.referrer_id is not null, moment
  from (
    select first.*, referrer.id as referrer_id,
      before.next_sequence - 1 + row_number() over (order by first.ordinal) as sequence
    from (
      select distinct on (request.email_identity) request.*
      from unnest(pending) request
      where not exists (select from member where member.email_identity = request.email_identity)
        and not exists (select from member where member.referral_code = request.referral_code)
      order by request.email_identity, request.ordinal
    ) first
    left join member referrer on referrer.referral_code = first.referred_by
  ) fresh
  order by fresh.sequence;

  if exists (select from member where member.sequence >= before.next_sequence and member.is_credited) then
    update member set
      referral_count = member.referral_count + credit.friends,
      sort_key = sort_key_of(before, member.sequence, member.referral_count + credit.friends, member.is_invited)
    from (
      select friend.referrer_id, count(*)::integer as friends
      from unnest(pending) request
      join member friend on friend.id = request.id
      where friend.is_credited
      group by friend.referrer_id
    ) credit
    where member.id = credit.referrer_id;

    insert into mail_news (member_id)
    select distinct friend.referrer_id
    from unnest(pending) request
    join member friend on friend.id = request.id
    where friend.is_credited
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
          select distinct (joined.sort_key >> before.bucket_shifts[1]) << before.bucket_shifts[1] as first_key
          from unnest(pending) request
          join member joined on joined.id = request.id
        ) bucket
        cross join lateral place_of(bucket.first_key)
        offset 0 -- else the place is worked out again for every member of the bucket
      ) touched
      join member on member.sort_key >= touched.first_key
        and member.sort_key < touched.first_key + (1::bigint << before.bucket_shifts[1])
    ) ranked
    where ranked.sequence >= before.next_sequence
    order by ranked.sequence);

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

  if joined_mail is not null then
    perform queue_mails(array(
      select jsonb_build_object('kind', joined_mail, 'memberId', member.id)
      from unnest(pending) request
      join member on member.id = request.id));
  end if;

  return query
    with decided as (
      select
        request.key_hash, request.id, request.request_hash, member.id as member_id,
        case when member.id = request.id then 201 else 409 end::smallint as status_code,
        case when member.id = request.id then
          request.body_before_place || places[member.sequence - before.next_sequence + 1] || request.body_after_place
        else known_body end as body
      from unnest(pending) request
      join member on member.email_identity = request.email_identity
    ), stored as (
      insert into idempotency_answer (key_hash, request_hash, status_code, body, member_id, created_at)
      select key_hash, request_hash, status_code, body, member_id, moment from decided where key_hash is not null
      on conflict (key_hash) do update set -- one that is older than 24 hours
        request_hash = excluded.request_hash, status_code = excluded.status_code, body = excluded.body,
        member_id = excluded.member_id, created_at = excluded.created_at
    )
    select coalesce(key_hash, id::text), request_hash, status_code, body, member_id from decided;
end $$;

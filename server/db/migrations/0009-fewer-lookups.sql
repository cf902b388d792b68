-- The same joins for less work: every request meets the line in one pass of look-ups, what follows works on arrays of the batch, and
-- what foreign keys checked row by row, writing a lock to the referenced row each time, triggers check by statement. Writers of
-- members take turns at the row of "line_state", so a check made after taking it is as safe as a foreign key's.

-- Compared as bytes, by equality alone: the rules of a language would only cost time.
alter table member alter email_identity type text collate "C", alter referral_code type text collate "C";
alter table idempotency_answer alter key_hash type text collate "C";

alter table member drop constraint member_referrer_id_fkey;
alter table mail_news drop constraint mail_news_member_id_fkey;
alter table idempotency_answer drop constraint idempotency_answer_member_id_fkey;
drop index idempotency_answer_member;
create index idempotency_answer_known on idempotency_answer (member_id) where status_code <> 201;
-- Where the answer to who joined is kept, so that it goes with them.
alter table member add column answer_key_hash text collate "C";
update member set answer_key_hash = answer.key_hash
from idempotency_answer answer
where answer.member_id = member.id and answer.status_code = 201;

-- The mails of a batch of joins that are not in the queue yet: one row, where the queue wants one a mail. Written in the transaction
-- of the joins, moved to the queue in one of the sender's, so that each comes there once.
create table mail_batch (
  first_sequence bigint primary key,
  kind text not null,
  member_ids uuid[] not null
);

-- Moves the oldest batches to the queue: so many that they hold at_least so many mails, where there are.
create function queue_batched_mails(at_least integer) returns void
language plpgsql
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  mails jsonb[];
begin
  if not exists (select from mail_batch order by first_sequence limit 1) then
    return;
  end if;
  with oldest as (
    select first_sequence, sum(cardinality(member_ids)) over (order by first_sequence) - cardinality(member_ids) as before
    from (select first_sequence, member_ids from mail_batch order by first_sequence limit at_least) batch
  ), taken as (
    delete from mail_batch
    where first_sequence in (select oldest.first_sequence from oldest where oldest.before < at_least)
    returning first_sequence, kind, member_ids
  )
  select array_agg(jsonb_build_object('kind', kind, 'memberId', member_id) order by first_sequence, ordinal) into mails
  from taken, unnest(member_ids) with ordinality as one (member_id, ordinal);
  perform queue_mails(mails);
end $$;

create or replace function count_joined() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  update line_state line set
    total = line.total + joined.members,
    next_sequence = greatest(line.next_sequence, joined.last_sequence + 1),
    last_joined_at = greatest(line.last_joined_at, joined.last_joined_at)
  from (
    select count(*) as members, max(sequence) as last_sequence, max(joined_at) as last_joined_at from added
  ) joined
  where joined.members > 0;
  if exists (
    select from added
    where referrer_id is not null and not exists (select from member where member.id = added.referrer_id)
  ) then
    raise foreign_key_violation using message = 'The referrer of a new member is not in line.';
  end if;
  insert into rank_bucket (level, bucket, members)
  select step.level, added.sort_key >> step.shift as bucket, count(*)
  from line_state line, unnest(line.bucket_shifts) with ordinality as step (shift, level), added
  group by step.level, bucket
  on conflict (level, bucket) do update set members = rank_bucket.members + excluded.members;
  return null;
end $$;

create or replace function count_left() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  update line_state line set total = line.total - (select count(*) from removed);
  if exists (select from removed join member friend on friend.referrer_id = removed.id) then
    raise foreign_key_violation using message = 'Somebody in line was brought by a member who leaves.';
  end if;
  merge into rank_bucket using (
    select step.level, removed.sort_key >> step.shift as bucket, count(*) as members
    from line_state line, unnest(line.bucket_shifts) with ordinality as step (shift, level), removed
    group by step.level, removed.sort_key >> step.shift
  ) change on rank_bucket.level = change.level and rank_bucket.bucket = change.bucket
  when matched and rank_bucket.members = change.members then delete
  when matched then update set members = rank_bucket.members - change.members;
  delete from mail_news using removed where mail_news.member_id = removed.id;
  update mail_batch set member_ids = array(select id from unnest(member_ids) id where id not in (select removed.id from removed))
  where member_ids && array(select removed.id from removed);
  delete from idempotency_answer answer using removed
  where answer.key_hash = removed.answer_key_hash and answer.member_id = removed.id;
  delete from idempotency_answer answer using removed where answer.member_id = removed.id and answer.status_code <> 201;
  return null;
end $$;

create function refuse_unknown_referrer() returns trigger language plpgsql as $$
begin
  perform from line_state for update;
  if not exists (select from member where member.id = new.referrer_id) then
    raise foreign_key_violation using message = 'The new referrer of a member is not in line.';
  end if;
  return null;
end $$;
create trigger member_changed_referrer after update of referrer_id on member
  for each row when (new.referrer_id is not null and new.referrer_id is distinct from old.referrer_id)
  execute function refuse_unknown_referrer();

drop function join_members(json, text, boolean, text, text);
alter type join_request drop attribute body_after_place;

-- A request and what it met in the line.
create type pending_join as (
  ordinal integer,
  id uuid,
  email text,
  email_identity text,
  referral_code text,
  key_hash text,
  request_hash text,
  body_before_place text,
  is_known boolean,
  is_code_taken boolean,
  referrer_id uuid,
  sequence bigint,
  sort_key bigint
);

-- As before: a batch of joins in one transaction and one round trip. Answers one row for each key hash, or for each id where there is
-- none; no row for a request whose referral code is taken, which the caller asks again with another code.
-- status_code 201: joined, 409: the address is known. All of a batch join at the same instant, later than every
-- join before it, and their places are those when the whole batch is in line. gives_credit: to the referrer now; otherwise when
-- the friend confirms. joined_mail and known_mail: the kind of mail for who joined and for who was there already, null for none.
-- body_end: what follows the place in the answer to everybody who joins.
create function join_members(
  input json, body_end text, known_body text, gives_credit boolean, joined_mail text, known_mail text)
returns table (slot text, request_hash text, status_code smallint, body text, member_id uuid)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  before line_state;
  moment timestamptz;
  answered text[];
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
    left join member known on known.email_identity = request.email_identity
    left join member code on code.referral_code = request.referral_code
    left join member referrer on referrer.referral_code = request.referred_by);

  answered := array(
    select answer.key_hash from unnest(pending) request join idempotency_answer answer on answer.key_hash = request.key_hash);
  if answered <> '{}' then
    delete from idempotency_answer answer
    where answer.key_hash = any(answered) and answer.created_at <= moment - interval '24 hours';
    return query
      select answer.key_hash, answer.request_hash, answer.status_code, answer.body, answer.member_id
      from idempotency_answer answer where answer.key_hash = any(answered);
    pending := array(
      select request from unnest(pending) request
      where not exists (select from idempotency_answer answer where answer.key_hash = request.key_hash));
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
          cross join lateral place_of(bucket.first_key)
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

-- As before, but the counts lie on the disk in the order in which members come to them, and a place is read from few pages.
create or replace function rekey_line() returns void language plpgsql as $$
begin
  alter table member disable trigger member_moved;
  alter table member drop constraint member_sort_key_key; -- half way, an old key may equal somebody's new one
  update member set sort_key = sort_key_of(line, member.sequence, member.referral_count, member.is_invited) from line_state line;
  alter table member add constraint member_sort_key_key unique (sort_key);
  alter table member enable trigger member_moved;
  delete from rank_bucket;
  insert into rank_bucket (level, bucket, members)
  select step.level, member.sort_key >> step.shift as bucket, count(*)
  from line_state line, unnest(line.bucket_shifts) with ordinality as step (shift, level), member
  group by step.level, bucket
  order by step.level, bucket;
end $$;

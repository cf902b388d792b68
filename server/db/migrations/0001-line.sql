-- The line: members ordered by one integer, and counts of them per range of that integer, so that a place anywhere in the
-- line is a short sum. Whoever writes members locks the row of "line_state" first: the order of joining is then the order
-- of committing, on any number of nodes, and the place told at a join is the true one.

create table line_state ( -- not "line": PostgreSQL has a type of that name, which would hide the row type
  is_only_row boolean primary key default true check (is_only_row),
  rule text not null,
  per_join bigint not null check (per_join > 0),
  per_credit bigint not null check (per_credit > 0),
  per_invite bigint not null check (per_invite > 0),
  bucket_shifts integer[] not null,
  total bigint not null default 0 check (total >= 0),
  next_sequence bigint not null default 1,
  last_joined_at timestamptz not null default '-infinity'
) with (fillfactor = 10); -- one row, rewritten by every batch: room to do so within its page

create table member (
  id uuid primary key,
  sequence bigint not null unique check (sequence between 1 and 4294967295),
  sort_key bigint not null unique check (sort_key between -9007199254740991 and 9007199254740991),
  email text not null,
  email_identity text not null unique,
  referral_code text not null unique,
  is_invited boolean not null default false,
  referrer_id uuid references member,
  is_credited boolean not null default false,
  referral_count integer not null default 0 check (referral_count >= 0),
  joined_at timestamptz not null,
  constraint member_not_own_referrer check (referrer_id <> id),
  constraint member_invited_by_referrer check (is_invited or referrer_id is null),
  constraint member_credit_needs_referrer check (referrer_id is not null or not is_credited)
);
create index member_referrer on member (referrer_id) where referrer_id is not null;
create index member_top_referrers on member (referral_count desc) where referral_count > 0;

create table rank_bucket (
  level integer not null,
  bucket bigint not null,
  members bigint not null check (members > 0),
  primary key (level, bucket)
) with (fillfactor = 50);

-- What a join with an Idempotency-Key was answered, to the byte. Goes with the member it is about.
create table idempotency_answer (
  key_hash text primary key,
  request_hash text not null,
  status_code smallint not null,
  body text not null,
  member_id uuid not null references member on delete cascade,
  created_at timestamptz not null
);
create index idempotency_answer_member on idempotency_answer (member_id);

create function sort_key_of(formula line_state, sequence bigint, credits bigint, is_invited boolean) returns bigint
language sql immutable as $$
  select sequence * (formula).per_join - credits * (formula).per_credit - is_invited::integer * (formula).per_invite
$$;

-- The counts are kept by the database, so that no writer can forget them, and by statement, so that a batch of hundreds
-- touches each bucket once. An emptied bucket is deleted: a member who climbs far leaves a trail of them, and
-- kept at 0 they would outnumber the rest.

create function count_joined() returns trigger language plpgsql
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
  insert into rank_bucket (level, bucket, members)
  select step.level, added.sort_key >> step.shift as bucket, count(*)
  from line_state line, unnest(line.bucket_shifts) with ordinality as step (shift, level), added
  group by step.level, bucket
  on conflict (level, bucket) do update set members = rank_bucket.members + excluded.members;
  return null;
end $$;

create function count_moved() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  perform from line_state for update;
  merge into rank_bucket using (
    select step.level, moved.sort_key >> step.shift as bucket, sum(moved.members) as members
    from line_state line, unnest(line.bucket_shifts) with ordinality as step (shift, level), (
      select sort_key, 1 as members from added union all select sort_key, -1 from removed
    ) moved
    group by step.level, moved.sort_key >> step.shift
    having sum(moved.members) <> 0
  ) change on rank_bucket.level = change.level and rank_bucket.bucket = change.bucket
  when matched and rank_bucket.members + change.members = 0 then delete
  when matched then update set members = rank_bucket.members + change.members
  when not matched then insert (level, bucket, members) values (change.level, change.bucket, change.members);
  return null;
end $$;

create function count_left() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set plan_cache_mode = force_generic_plan as $$
begin
  update line_state line set total = line.total - (select count(*) from removed);
  merge into rank_bucket using (
    select step.level, removed.sort_key >> step.shift as bucket, count(*) as members
    from line_state line, unnest(line.bucket_shifts) with ordinality as step (shift, level), removed
    group by step.level, removed.sort_key >> step.shift
  ) change on rank_bucket.level = change.level and rank_bucket.bucket = change.bucket
  when matched and rank_bucket.members = change.members then delete
  when matched then update set members = rank_bucket.members - change.members;
  return null;
end $$;

create function refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'The line is not emptied by truncate: the counts would stay. Delete the members.';
end $$;

create trigger member_joined after insert on member
  referencing new table as added for each statement execute function count_joined();
create trigger member_moved after update on member
  referencing new table as added old table as removed for each statement execute function count_moved();
create trigger member_left after delete on member
  referencing old table as removed for each statement execute function count_left();
create trigger member_not_truncated before truncate on member
  for each statement execute function refuse_truncate();

-- 1 + the members with a smaller key: those of the same narrowest bucket one by one, then per level the buckets before
-- the member's own within the next wider one. In language sql so that it is planned as part of its caller.
create function place_of(member_key bigint) returns table (place bigint) language sql stable as $$
  select 1
    + (select count(*) from member ahead
       where ahead.sort_key >= (member_key >> line.bucket_shifts[1]) << line.bucket_shifts[1]
         and ahead.sort_key < member_key)
    + (select coalesce(sum(counted.members), 0)::bigint
       from unnest(line.bucket_shifts) with ordinality as step (shift, level)
       cross join lateral (
         select sum(rank_bucket.members) as members from rank_bucket
         where rank_bucket.level = step.level
           and rank_bucket.bucket < member_key >> step.shift
           and rank_bucket.bucket >= coalesce(
             (member_key >> line.bucket_shifts[step.level + 1]) << (line.bucket_shifts[step.level + 1] - step.shift),
             -9007199254740991)
       ) counted)
  from line_state line
$$;

-- Members and their places, of one moment. In plpgsql so that the plan is made once per connection.
create function read_members(member_ids uuid[])
returns table (id uuid, email text, referral_code text, referral_count integer, place bigint)
language plpgsql stable
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    select member.id, member.email, member.referral_code, member.referral_count, place_of.place
    from unnest(member_ids) as asked (id)
    join member on member.id = asked.id
    cross join lateral place_of(member.sort_key);
end $$;

create type join_request as (
  ordinal integer,
  id uuid,
  email text,
  email_identity text,
  referral_code text,
  referred_by text,
  key_hash text,
  request_hash text,
  body_before_place text,
  body_after_place text
);

-- A batch of joins in one transaction and one round trip. Answers one row for each key hash, or for each id where there is
-- none; no row for a request whose referral code is taken, which the caller asks again with another code.
-- status_code 201: joined, 409: the address is known. All of a batch join at the same instant, later than every
-- join before it, and their places are those when the whole batch is in line.
create function join_members(input json, known_body text)
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
    fresh.referrer_id is not null, fresh.referrer_id, fresh.referrer_id is not null, moment
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

-- Puts every member where a changed rule wants them, and counts anew. The caller holds the row of "line_state".
create function rekey_line() returns void language plpgsql as $$
begin
  alter table member disable trigger member_moved;
  alter table member drop constraint member_sort_key_key; -- half way, an old key may equal somebody's new one
  update member set sort_key = sort_key_of(line, member.sequence, member.referral_count, member.is_invited) from line_state line;
  alter table member add constraint member_sort_key_key unique (sort_key);
  alter table member enable trigger member_moved;
  delete from rank_bucket;
  insert into rank_bucket (level, bucket, members)
  select step.level, member.sort_key >> step.shift, count(*)
  from line_state line, unnest(line.bucket_shifts) with ordinality as step (shift, level), member
  group by 1, 2;
end $$;

-- A batch of joins in one transaction and one round trip. Every request gets one row, by its
-- ordinal:
--   201  joined: id and position
--   200  the same join was done with this Idempotency-Key: the member as they joined
--   409  the address is known
--   422  the Idempotency-Key was used for another join
--   503  joining is paused
-- All of a batch join at one instant, later than every join before, and their positions are those
-- when the whole batch is in line. A taken referral code breaks member_referral_code_key: ask again
-- with another. entered: in the order of the input, what visitors enter and no stage looks at,
-- which is named here alone. sources: those of the batch, null for none. gives_credit: to the
-- referrers now, otherwise when the friends confirm. joined_mail, known_mail: the kind of mail for
-- new and for known members, null for none. networks: by ordinal, for join_trace; null for a join
-- without. The settings force look-ups by key, also into the functions called here: a plan may be
-- made while the tables are empty.
create or replace function join_members(
  input json, entered json, sources json, networks integer[], gives_credit boolean,
  joined_mail text, known_mail text)
returns table (
  ordinal integer, status_code smallint, member_id uuid, "position" bigint, email text,
  referral_code text)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  line line_state;
  moment timestamptz;
  requests met_request[];
  keys bigint[];
  positions bigint[];
  source_ids integer[];
  joined integer;
begin
  select * into strict line from line_state for update;
  moment := greatest(clock_timestamp(), line.last_joined_at + interval '1 microsecond');
  requests := meet_requests(input, moment, line);

  insert into standing (member_id, sort_key)
  select id, sort_key from unnest(requests) where sequence is not null;
  get diagnostics joined = row_count;
  if joined > 0 then
    if gives_credit then
      perform credit_referrers(array_agg(referrer_id), array_agg(0), array_agg(friends))
      from (
        select referrer_id, count(*)::integer as friends
        from unnest(requests) where sequence is not null and referrer_id is not null
        group by referrer_id
      ) invited
      having count(*) > 0;
    end if;
    if sources is not null then
      source_ids := learn_sources(sources, true);
    end if;
    keys := array(
      select sort_key from unnest(requests) where sequence is not null order by sort_key);
    positions := positions_of(keys);

    insert into member (
      id, sequence, joined_at, join_position, referrer_id, is_invited, credit, email_identity,
      referral_code, key_hash, request_hash, source_id, email)
    select
      id, sequence, moment, positions[width_bucket(sort_key, keys)], referrer_id,
      referrer_id is not null,
      case when referrer_id is null then 'none' when gives_credit then 'given' else 'pending' end,
      email_identity, referral_code, key_hash, request_hash, source_ids[source], email
    -- Row by row, as both are in the order of the requests: a join would compare each with each.
    from rows from (unnest(requests), json_to_recordset(entered) as (email text)) as joining
    where sequence is not null;
    insert into join_trace (member_id, network)
    select id, networks[ordinal + 1] from unnest(requests)
    where sequence is not null and networks[ordinal + 1] is not null;
    if joined_mail is not null then
      insert into mail_outbox (first_sequence, kind, member_ids)
      values (
        line.next_sequence, joined_mail,
        array(select id from unnest(requests) where sequence is not null order by sequence));
    end if;
    return query
      select ordinal, 201::smallint, id, positions[width_bucket(sort_key, keys)],
        null::text, null::text
      from unnest(requests) where sequence is not null;
  end if;

  if joined < cardinality(requests) then
    perform note_other_inviters(requests);
    if known_mail is not null then
      perform queue_status_links(
        array(
          select known_id from unnest(requests)
          where known_id is not null and kept_id is null),
        known_mail, moment);
    end if;
    return query
      select request.ordinal,
        case
          when request.known_id is null and request.kept_id is null and line.paused_at is not null
            then 503
          when request.kept_id is null then 409
          when request.is_repeated then 200
          else 422
        end::smallint,
        kept.id, kept.join_position, kept.email, kept.referral_code
      from unnest(requests) request
      left join lateral (
        select id, join_position, email, referral_code from member
        where id = request.kept_id and request.is_repeated offset 0
      ) kept on true
      where request.sequence is null;
  end if;
end $$;

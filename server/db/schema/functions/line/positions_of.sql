-- The positions of members by their sort keys, in ascending order of the keys. Made for keys that
-- stand close together: the start of each narrowest bucket is looked up once, the rest is counted
-- from there.
create or replace function positions_of(keys bigint[])
returns bigint[] language plpgsql stable as $$
begin
  return array(
    select counted.position
    from (
      select standing.sort_key,
        bucket.start - 1 + row_number() over (
          partition by bucket.first_key order by standing.sort_key) as position
      from (
        select touched.first_key, own.position as start
        from (
          select distinct (key >> 6) << 6 as first_key from unnest(keys) as key
        ) touched
        cross join lateral position_of(touched.first_key) own
        offset 0 -- otherwise the start is looked up for every member of the bucket
      ) bucket
      join standing on standing.sort_key >= bucket.first_key
        and standing.sort_key < bucket.first_key + 64
    ) counted
    where counted.sort_key = any(keys)
    order by counted.sort_key);
end $$;

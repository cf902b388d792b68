-- Until when somebody who joined without an invite may say who invited them.
create or replace function inviter_until(joined_at timestamptz) returns timestamptz
language sql immutable as $$
  select joined_at + interval '24 hours'
$$;

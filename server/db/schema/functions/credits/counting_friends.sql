-- How many friends count for a member: everyone who has confirmed, and at most 10 who have not.
create or replace function counting_friends(confirmed integer, unconfirmed integer)
returns integer language sql immutable as $$
  select confirmed + least(unconfirmed, 10)
$$;

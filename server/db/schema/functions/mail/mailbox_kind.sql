-- What a mailbox costs whoever opened it, by the identity of its address: see domain_kind.
create or replace function mailbox_kind(identity text) returns text language sql stable as $$
  select kind from domain_kind(split_part(identity, '@', 2))
$$;

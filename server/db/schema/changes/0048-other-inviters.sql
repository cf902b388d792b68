-- Whose codes the address was entered for after the join, as long as its owner has not confirmed:
-- until they say who invited them, nobody has the friend.
alter table member
  add other_inviters uuid[],
  add constraint member_asks_before_confirming check (
    other_inviters is null or confirmed_at is null and cardinality(other_inviters) between 1 and 8);

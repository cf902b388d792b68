-- Adds each change to its slot. Fenwick, A new data structure for cumulative frequency tables,
-- 1994.
create or replace function add_to_slots(sums integer[], slots integer[], changes integer[])
returns integer[] language plpgsql immutable as $$
declare
  entry integer;
begin
  for i in 1..cardinality(slots) loop
    entry := slots[i] + 1;
    while entry <= cardinality(sums) loop
      sums[entry] := sums[entry] + changes[i];
      entry := entry + (entry & -entry);
    end loop;
  end loop;
  return sums;
end $$;

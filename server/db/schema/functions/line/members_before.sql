-- The members of the first "slot" slots, 0 to 256. Simple enough for PostgreSQL to inline.
create or replace function members_before(sums integer[], slot integer)
returns integer language sql immutable as $$
  select case when slot & 1 <> 0 then sums[slot] else 0 end
    + case when slot & 2 <> 0 then sums[slot & 510] else 0 end
    + case when slot & 4 <> 0 then sums[slot & 508] else 0 end
    + case when slot & 8 <> 0 then sums[slot & 504] else 0 end
    + case when slot & 16 <> 0 then sums[slot & 496] else 0 end
    + case when slot & 32 <> 0 then sums[slot & 480] else 0 end
    + case when slot & 64 <> 0 then sums[slot & 448] else 0 end
    + case when slot & 128 <> 0 then sums[slot & 384] else 0 end
    + case when slot & 256 <> 0 then sums[256] else 0 end
$$;

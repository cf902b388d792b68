-- Half tickets in the draw. A list that was frozen before has none: its published hash stays.
alter table entrant add weight integer check (weight between 1 and 255);

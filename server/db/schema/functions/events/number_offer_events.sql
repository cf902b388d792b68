-- Gives what happened to offers its place among the events of the line, in the order of the events.
-- The caller holds the line lock.
create or replace function number_offer_events() returns void language plpgsql as $$
begin
  if not exists (select from offer_event) then
    return;
  end if;
  with taken as (delete from offer_event returning *)
  insert into line_event (sequence, kind, happened_at, member_ids, offer_id)
  select last.sequence + row_number() over (order by taken.id), taken.kind, taken.happened_at,
    array[taken.member_id], taken.offer_id
  from taken cross join (select coalesce(max(sequence), 0) as sequence from line_event) last;
end $$;

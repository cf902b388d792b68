-- Nothing is held by a score any more. A credit that a rule held counts like any other, and only
-- what an operator or a bounce decided stays: also that all friends of a code are held.
update credit_case set decided_by = 'operator', decided_at = created_at
where decided_by is null and 'code-on-hold' = any(rules);
update member set credit = 'given' from credit_case
where credit_case.member_id = id and credit = 'held' and decided_by is distinct from 'operator';
update member set credit = 'held' from credit_case
where credit_case.member_id = id and credit = 'pending' and decided_by = 'operator' and holds;
delete from credit_case where decided_by is null;
alter table credit_case
  drop constraint credit_case_whole_decision,
  drop rules, drop score, drop holds, drop created_at,
  alter decided_at set not null, alter decided_by set not null;
insert into credit_case (member_id, decided_at, decided_by)
select id, now(), 'operator' from member
where credit = 'refused' and not exists (select from credit_case where member_id = id);
drop index member_held_credit;
alter table list_import_row drop credit_reasons;

-- Friends of a member who count and have not confirmed. The upgrade works it out from the members.
alter table standing add unconfirmed integer not null default 0 check (unconfirmed >= 0);

drop table code_hold, second_look, trusted_network, mail_domain;
drop index member_settled_domain;
-- A trace is the hash of the network that a join came from. The key of a hash is not stored beside
-- it, because hashes under two keys are different anyway.
alter table join_trace
  drop key_id, drop server, drop wide, drop hints, drop flags;
alter table join_trace rename narrow to network;
delete from join_trace where network = 0;

-- Removed members who can still come back, as everybody in line.
update removed_member set
  member = case when member->>'credit' = 'held' then member || '{"credit": "given"}' else member end,
  side_rows = side_rows - 'credit_case'
where side_rows->'credit_case'->0->>'decided_by' is null;
update removed_member set friends = (
  select jsonb_agg(case when one->>'credit' = 'held' and not exists (
    select from credit_case where member_id = (one->>'id')::uuid
  ) then one || '{"credit": "given"}' else one end)
  from jsonb_array_elements(friends) one)
where friends @> '[{"credit": "held"}]';
-- Undone, a decision about what a rule held would leave a credit that nobody decided about.
delete from undo_record where data ? 'decided' and until is not null;

-- The mailbox that a member has confirmed, whatever the spelling of the address, and the registrable
-- name of its domain, unless that is a provider's. A server works both out after the confirmation.
alter table member
  add proved_mailbox text collate "C",
  add proved_name text collate "C",
  add constraint member_proves_confirmed check (confirmed_at is not null or proved_mailbox is null),
  add constraint member_proves_mailbox check (proved_mailbox is not null or proved_name is null);
-- Who confirmed a mailbox first.
create index member_proved on member (proved_mailbox, confirmed_at) where proved_mailbox is not null;
create index member_to_prove on member (id)
where confirmed_at is not null and proved_mailbox is null;

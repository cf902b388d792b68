-- Indexes alone say what the friends of a member count for: who confirmed a mailbox first, and which
-- friends share a name.
drop index member_proved;
create index member_proved on member (proved_mailbox, confirmed_at, id)
where proved_mailbox is not null;
drop index member_settled;
create index member_settled on member (referrer_id, credit)
include (proved_mailbox, proved_name, confirmed_at, id) where confirmed_at is not null;

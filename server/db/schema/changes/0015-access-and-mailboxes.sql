-- An entry about access, such as a sign-in, says what happened, and nobody is asked why.
alter table audit_entry alter column reason drop not null;

-- Drawn when an operator gave the member another mailbox: links mailed to the one before do not
-- have it. Null for a member who has the mailbox that they joined with.
alter table member add column mailbox uuid;

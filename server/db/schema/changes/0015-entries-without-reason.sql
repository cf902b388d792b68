-- An entry about access, such as a sign-in, says what happened, and nobody is asked why.
alter table audit_entry alter column reason drop not null;

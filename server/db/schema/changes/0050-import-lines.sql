-- A list is compared as it is read, for its check and once more for its import: of its rows only
-- what the report says of them is kept.
update list_import set state = 'received', report = null where state in ('checking', 'checked');
delete from list_import_row;
alter table list_import_row
  drop email, drop email_identity, drop joined_at, drop row_id, drop old_code, drop referrer,
  drop referrer_identity, drop referrer_code, drop stated_referrals, drop first_line,
  drop member_id, drop place, drop referrer_ordinal, drop referrer_id, drop kept_code,
  drop new_code, drop friends, drop confirmed_at, drop is_unconfirmed, drop was_invited,
  drop point_adjustment, drop credit, drop mail_state, drop source;
alter table list_import_row rename shown to cell;
update import_run set done_to = 0 where not is_done and goal = 'join';

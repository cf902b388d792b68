/** A row in each table of the operator's console; members must be in line. */
export const FILL_CONSOLE_TABLES = `
  insert into operator (email, email_identity, name, role)
    values ('Ada@example.com', 'ada@example.com', 'Ada', 'owner');
  insert into passkey (credential_id, operator_id, name, public_key, sign_count, transports)
    select 'id', id, 'Phone', 'key', 7, '{usb,nfc}' from operator;
  insert into api_key (name, secret_hash, hint, scopes) values ('CI', 'hash', 'abcd', '{read}');
  insert into audit_entry values (1, '2026-01-02 03:04:05.678901+02', 'token', null, 'token',
    'set-stock', null, null, 'a reason', '{"b": [1], "a": null}', '', '\\x00ff');
  insert into undo_record values (1, null, '{"stock": 3}', '2026-01-03');
  insert into removed_member
    select gen_random_uuid(), gen_random_uuid(), '2026-01-03', 'left@example.com', '{}', '{}',
      '[]', null;
  insert into webhook_endpoint (url, events, next_sequence)
    values ('https://example.com', '{member.joined}', 2);
  insert into line_event select 1, 'joined', '2026-01-02', array[id], null, null, null
    from member limit 1;
  insert into offer_event (kind, offer_id, member_id)
    select 'offer.made', gen_random_uuid(), id from member limit 1;
  insert into webhook_delivery (endpoint_id, event_id, kind, happened_at, sequence, ordinal)
    select id, 'event', 'member.joined', '2026-01-02', 1, 0 from webhook_endpoint;
  insert into campaign (id, subject, body, filter) values (1, 'News', '# Hi', '{"tier": 1}');
  insert into campaign_mail select 1, id, 'sent' from member limit 1;
  insert into member_note (member_id, author_kind, author_name, body)
    select id, 'token', 'token', E'a note\\nof two lines' from member limit 1;
  insert into credit_case (member_id, decided_at, decided_by)
    select id, '2026-01-02', 'operator' from member limit 1;
  insert into visit_count values ('2026-01-02', 'landing', 0, 3);
  insert into event_count values ('2026-01-02', 'mail_sent', 3);
  insert into mail_count values ('2026-01-02', 3);
  insert into join_count values ('2026-01-02', 0, 3, 1) on conflict do nothing;
  insert into cohort_count (quarter) values ('2026-01-02');
  insert into friend_wait values (5, 2);
  insert into opened_invite select id, true from member limit 1;
  insert into import_run (import_id, goal, is_done, options)
    values (gen_random_uuid(), 'join', true, '{"order": "file"}');
  insert into import_piece select import_id, 1, 2 from import_run;
  insert into stranger_mail select gen_random_uuid(), 'hash', 'first', id, '2026-01-03'
    from member limit 1;
  insert into size_wish select id, '{Small}', false from member limit 1;
  insert into scheduled_step values (1, 'close-drop', '{}', '2026-01-03', 'UTC', 'failed', 'why',
    '2026-01-02', 3, '2026-01-01');
  insert into entrant select 1, 1, id, 3, 0, '{Small}', false, 1, 'Small' from member limit 1;
  insert into offer (drop_number, member_id, size, state, wave, expires_at, settled_at)
    select 1, member_id, 'Small', 'declined', 1, '2026-01-03', '2026-01-02' from entrant;
  insert into shop_code (code, size) values ('GHOST-1', 'Small');
  update till_account set settings = '{}';
  insert into checkout (offer_id, pay_by) select id, '2026-01-04' from offer
    on conflict do nothing;
  insert into till_payment (id, account_id, reference, cents, currency, state)
    select 'p', id, 'p', 1, 'EUR', 'by_hand' from till_account;
  insert into parcel (offer_id, member_id) select id, member_id from offer on conflict do nothing;
  insert into reward (member_id, tier_level, state) select id, 1, 'asked' from member limit 1;
  insert into reward_budget values (1, 10, 250);`;

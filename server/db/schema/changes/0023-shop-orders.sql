-- The order of the shop that redeemed a pass: the same order may ask again, another one may not.
alter table offer add column shop_order text;
alter table offer add constraint offer_redeemed_by_order
  check (state <> 'redeemed' or shop_order is not null);
-- A shop needs a key that can do nothing else.
alter table api_key drop constraint api_key_scopes_check;
alter table api_key add constraint api_key_scopes_check
  check (scopes <@ array['read', 'write', 'export', 'redeem'] and scopes <> '{}');

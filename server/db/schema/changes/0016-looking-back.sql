-- Where the sweep is that looks at credits again.
create table sweep_cursor (
  is_only_row boolean primary key default true check (is_only_row),
  next_sequence bigint not null default 1, -- members from here on are new to it
  pass_sequence bigint not null default 1, -- where its pass over earlier members is,
  pass_end bigint not null default 1 -- and before which member that ends
) with (fillfactor = 10);
insert into sweep_cursor default values;

-- When operators were last mailed what waits for them; null: never.
create table digest_state (
  is_only_row boolean primary key default true check (is_only_row),
  sent_at timestamptz
);
insert into digest_state default values;

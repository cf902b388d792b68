-- The people who run the waitlist. One of them at least is an owner: keep_an_owner sees to it.
create table operator (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  email_identity text not null unique,
  name text not null,
  role text not null check (role in ('owner', 'viewer')),
  created_at timestamptz not null default clock_timestamp()
);

-- Used once: links that sign in, and challenges of passkeys. Only the SHA-256 is stored.
create table one_time_secret (
  secret_hash text primary key,
  purpose text not null check (purpose in ('link', 'passkey', 'new_passkey')),
  operator_id uuid references operator on delete cascade, -- null: nobody is known yet
  expires_at timestamptz not null
);
create index one_time_secret_operator on one_time_secret (operator_id);
create index one_time_secret_expiry on one_time_secret (expires_at);

create table operator_session (
  id uuid primary key default gen_random_uuid(),
  secret_hash text not null unique,
  operator_id uuid not null references operator on delete cascade,
  device text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz not null default clock_timestamp()
);
create index operator_session_operator on operator_session (operator_id);

create table passkey (
  id uuid primary key default gen_random_uuid(),
  credential_id text not null unique, -- Base64url, as browsers name it
  operator_id uuid not null references operator on delete cascade,
  name text not null,
  public_key text not null, -- COSE, in Base64url
  sign_count bigint not null, -- as the passkey last said; one that falls behind is a copy
  transports text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index passkey_operator on passkey (operator_id);

-- For scripts. Only the SHA-256 is stored; the hint is the beginning, to tell keys apart.
create table api_key (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  secret_hash text not null unique,
  hint text not null,
  scopes text[] not null check (scopes <@ array['read', 'write', 'export'] and scopes <> '{}'),
  created_by uuid references operator on delete set null, -- null: by the operator token
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index api_key_created_by on api_key (created_by);

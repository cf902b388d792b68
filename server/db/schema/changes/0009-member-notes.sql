-- What operators note about members: personal data, which goes with the member.
create table member_note (
  id uuid primary key default gen_random_uuid(),
  member_id uuid not null references member on delete cascade,
  author_kind text not null,
  author_id text, -- null: the operator token
  author_name text not null,
  body text not null,
  written_at timestamptz not null default clock_timestamp(),
  edited_at timestamptz
);
create index member_note_member on member_note (member_id, written_at);

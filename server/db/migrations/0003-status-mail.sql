-- When each member was last mailed their status link. Goes with the member.
create table status_mail (
  member_id uuid primary key references member on delete cascade,
  sent_at timestamptz not null
);

-- Friends whose join was doubtful, or whose credit somebody decided. A join without a doubt writes
-- no row.
create table credit_case (
  member_id uuid primary key references member on delete cascade, -- the friend
  rules text[] not null, -- the names of the rules that found something
  score integer not null, -- the sum of their weights
  holds boolean not null, -- the credit is held once it could be given, unless somebody decides
  created_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  decided_by text check (decided_by in ('operator', 'sweep')),
  constraint credit_case_whole_decision check ((decided_at is null) = (decided_by is null))
);

-- Members whose further credits are all held.
create table code_hold (
  member_id uuid primary key references member on delete cascade, -- the referrer
  since timestamptz not null default clock_timestamp()
);

-- Members who asked, once, that somebody looks at their held and refused credits again.
create table second_look (
  member_id uuid primary key references member on delete cascade, -- the referrer
  asked_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz -- when an operator next decided about a credit of theirs
);

-- A status page counts the held credits of a member.
create index member_held_credit on member (referrer_id) where credit = 'held';

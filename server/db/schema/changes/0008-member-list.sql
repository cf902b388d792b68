-- What the operator's list of members walks by: decision 0064.

-- New members enter both at one end.
create index member_sequence on member (sequence);
create index member_joined on member (joined_at, sequence);
-- Most referrals first, and of equal ones the first in line.
create index standing_referrals on standing ((-referral_count), sort_key);

-- Few members, which the list looks up one by one. Most joins write none of these.
create index member_doubtful_credit on member (credit) where credit in ('held', 'refused');
create index member_source on member (source_id) where source_id is not null;
create index member_confirmed on member (confirmed_at) where confirmed_at is not null;

-- The friends of a member in order of joining: one page, however many there are.
drop index member_referrer;
create index member_referrer on member (referrer_id, sequence) where referrer_id is not null;

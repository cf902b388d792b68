-- Lists of one tier and state, and how many of a tier are on their way.
create index reward_in_state on reward (tier_level, state, member_id);

-- The credit for a friend before and after a decision about it.
create type decided_credit as (
  friend_id uuid,
  referrer_id uuid,
  before text,
  after text,
  is_confirmed boolean,
  earlier jsonb -- the row of credit_case before; null: there was none
);

-- Gives a held credit once the friend has confirmed. Any mailbox lifts what the network or the
-- browser held, one that costs something also patterns and scripts; none what is about the mailbox
-- itself. What an operator decided stays. The caller holds the line lock.
create or replace function give_proven(friend_id uuid) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  update credit_case set holds = false
  from member friend
  where friend.id = friend_id and friend.credit = 'held' and friend.confirmed_at is not null
    and credit_case.member_id = friend_id
    and credit_case.decided_by is distinct from 'operator'
    and credit_case.rules <> '{}'
    and not credit_case.rules && array[
      'own-mailbox', 'known-mailbox', 'disposable', 'unreachable', 'code-on-hold']
    and (
      credit_case.rules <@ array['same-network', 'network-flood', 'same-browser']
      or mailbox_kind(friend.email_identity) <> 'open'
    );
  if found then
    perform set_credits(array[friend_id], 'given');
  end if;
end $$;

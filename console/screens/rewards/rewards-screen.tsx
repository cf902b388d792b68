import { useQuery } from '@tanstack/react-query';
import type { RewardTier } from '../../../contract/operator/rewards/rewards.ts';
import { rewardsQuery } from '../../api/rewards.ts';
import { errorStateOf, StaleNotice } from '../../parts/query-states.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useListState } from '../../routing/location.ts';
import { type Column, countColumn } from '../../ui/columns.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { describeBudget } from './reward-words.ts';
import { TierSection } from './tier-section.tsx';

const columns: readonly Column<RewardTier>[] = [
  { header: 'Reward', cell: ({ tier, reward }) => `${tier} · ${reward}` },
  countColumn('Friends', ({ required_referrals }) => required_referrals),
  countColumn('Owed', ({ owed }) => owed),
  countColumn('Asked', ({ asked }) => asked, { isMinor: true }),
  countColumn('Answered', ({ answered }) => answered, { isMinor: true }),
  countColumn('Sent', ({ sent }) => sent),
  { header: 'Units', align: 'end', isNarrow: true, cell: (tier) => describeBudget(tier) },
  countColumn('Exposure', ({ units_if_reached }) => units_if_reached),
];

export function RewardsScreen() {
  const list = useListState();
  const rewards = useQuery(rewardsQuery);
  const tiers = rewards.data?.tiers;
  const asked = Number(list.get('tier'));
  const opened = tiers?.find(({ tier }) => tier === asked) ?? tiers?.[0];
  return (
    <Screen title="Rewards" note="What members earned with their friends, tier by tier.">
      <StaleNotice query={rewards} />
      <Table
        label="Tiers"
        columns={columns}
        rows={tiers}
        keyOf={({ tier }) => String(tier)}
        hrefOf={({ tier }) => list.hrefWith({ tier: String(tier), state: '' })}
        openKey={opened === undefined ? null : String(opened.tier)}
        error={errorStateOf(rewards)}
        empty={<EmptyState title="No tiers">The brand file has no tiers.</EmptyState>}
      />
      {opened && <TierSection key={opened.tier} tier={opened} list={list} />}
    </Screen>
  );
}

import { useQuery } from '@tanstack/react-query';
import type { RewardTier } from '../../../contract/operator/rewards/rewards.ts';
import { rewardsQuery } from '../../api/drop/rewards.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { useListState } from '../../routing/use-list-state.ts';
import { useTitle } from '../../routing/use-title.ts';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { formatCount } from '../../ui/text/numbers.ts';
import { describeBudget } from './reward-words.ts';
import { TierSection } from './tier-section.tsx';

const columns: readonly Column<RewardTier>[] = [
  { key: 'tier', header: 'Reward', cell: ({ tier, reward }) => `${tier} · ${reward}` },
  count('required_referrals', 'Friends'),
  count('owed', 'Owed'),
  { ...count('asked', 'Asked'), isMinor: true },
  { ...count('answered', 'Answered'), isMinor: true },
  count('sent', 'Sent'),
  {
    key: 'budget',
    header: 'Units',
    align: 'end',
    isNarrow: true,
    cell: (tier) => describeBudget(tier),
  },
  count('units_if_reached', 'Exposure'),
];

function count(
  key: 'required_referrals' | 'owed' | 'asked' | 'answered' | 'sent' | 'units_if_reached',
  header: string,
): Column<RewardTier> {
  return {
    key,
    header,
    align: 'end',
    isNarrow: true,
    cell: (tier) => formatCount(tier[key]),
  };
}

/** What members have earned, how much of it is on its way, and what it may cost. */
export function RewardsScreen() {
  useTitle('Rewards');
  const list = useListState();
  const rewards = useQuery(rewardsQuery);
  const tiers = rewards.data?.tiers;
  const asked = Number(list.get('tier'));
  const opened = tiers?.find(({ tier }) => tier === asked) ?? tiers?.[0];
  return (
    <>
      <PageHeader title="Rewards" note="What members earned with their friends, tier by tier." />
      <StaleNotice query={rewards} />
      <Table
        label="Tiers"
        columns={columns}
        rows={tiers}
        keyOf={({ tier }) => String(tier)}
        nameOf={({ reward }) => reward}
        hrefOf={({ tier }) => list.hrefWith({ tier: String(tier), state: '' })}
        openKey={opened === undefined ? null : String(opened.tier)}
        error={errorFaceOf(rewards)}
        empty={<EmptyFace title="No tiers">The brand file has no tiers.</EmptyFace>}
      />
      {opened && <TierSection key={opened.tier} tier={opened} list={list} />}
    </>
  );
}

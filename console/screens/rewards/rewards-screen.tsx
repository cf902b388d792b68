import { useState } from 'react';
import type { ChangeInput } from '../../../contract/operator/changes.ts';
import { MAX_NAMED_MEMBERS } from '../../../contract/operator/limits.ts';
import type { ListedReward, RewardTier } from '../../../contract/operator/rewards/rewards.ts';
import { REWARD_KINDS, REWARD_STATES, type RewardState } from '../../../contract/rewards.ts';
import { pathOf, useRead, useRows } from '../../api/queries.ts';
import { ActionButton, useMayWrite } from '../../parts/changes.tsx';
import { ExportFiles } from '../../parts/downloads.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { QueryList, Screen } from '../../parts/screen.tsx';
import { labelsOf, REWARDS } from '../../parts/state-pills.tsx';
import { type ListState, useListState } from '../../routing/location.ts';
import { Address, Section } from '../../ui/facts.tsx';
import { Segmented } from '../../ui/fields.tsx';
import { formatAmount } from '../../ui/formats.ts';
import { FilterBar, SelectionBar } from '../../ui/list-bars.tsx';
import { type Column, codeColumn, countColumn, timeColumn } from '../../ui/table.tsx';
import { describeBudget, describeExposure, formatCents } from './reward-words.ts';

const tierColumns: readonly Column<RewardTier>[] = [
  { header: 'Reward', cell: ({ tier, reward }) => `${tier} · ${reward}` },
  countColumn('Friends', ({ required_referrals }) => required_referrals),
  countColumn('Owed', ({ owed }) => owed),
  countColumn('Asked', ({ asked }) => asked, { isMinor: true }),
  countColumn('Answered', ({ answered }) => answered, { isMinor: true }),
  countColumn('Sent', ({ sent }) => sent),
  { header: 'Units', align: 'end', isNarrow: true, cell: (tier) => describeBudget(tier) },
  countColumn('Exposure', ({ units_if_reached }) => units_if_reached),
];

/** The server may answer with counts from just before a change. */
const REFRESH_MS = 5_000;

export function RewardsScreen() {
  const list = useListState();
  const rewards = useRead('GET rewards', { refetchInterval: REFRESH_MS });
  const tiers = rewards.data?.tiers;
  const asked = Number(list.get('tier'));
  const opened = tiers?.find(({ tier }) => tier === asked) ?? tiers?.[0];
  return (
    <Screen title="Rewards" note="What members earned with their friends, tier by tier.">
      <QueryList
        query={rewards}
        label="Tiers"
        columns={tierColumns}
        rows={tiers}
        keyOf={({ tier }) => String(tier)}
        hrefOf={({ tier }) => list.hrefWith({ tier: String(tier), state: '' })}
        openKey={opened === undefined ? null : String(opened.tier)}
        emptyTitle="No tiers"
        empty="The brand file has no tiers."
      />
      {opened && <TierSection key={opened.tier} tier={opened} list={list} />}
    </Screen>
  );
}

const EMPTY: Readonly<Record<RewardState, string>> = {
  owed: 'Nobody is owed this reward',
  asked: 'Nobody is being asked',
  answered: 'Nobody has said where to send it',
  sent: 'None is sent yet',
};

const columns: readonly Column<ListedReward>[] = [
  { header: 'Member', cell: ({ email }) => <Address email={email} /> },
  countColumn('Friends', ({ referral_count }) => referral_count),
  codeColumn('Code', ({ referral_code }) => referral_code),
  timeColumn('Asked or sent', ({ asked_at, sent_at }) => sent_at ?? asked_at),
];

function TierSection({ tier, list }: { tier: RewardTier; list: ListState }) {
  const state = REWARD_STATES.find((rewardState) => rewardState === list.get('state')) ?? 'owed';
  const query = useRows('GET rewardsOfTier', { at: [tier.tier], query: { state } });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const mayWrite = useMayWrite();
  const clear = () => setSelected(new Set());
  return (
    <Section
      title={`${tier.tier} · ${tier.reward}`}
      actions={<TierActions tier={tier} hasSelection={selected.size > 0} />}
    >
      <p className={tier.units_over_budget ? 'exposure exposure-over' : 'exposure'}>
        {describeExposure(tier)}
      </p>
      <FilterBar summary={formatAmount(tier[state], 'reward')}>
        <Segmented
          label="State"
          options={labelsOf(REWARDS)}
          value={state}
          onChange={(chosen) => {
            clear();
            list.set({ state: chosen === 'owed' ? '' : chosen });
          }}
        />
      </FilterBar>
      <QueryList
        query={query}
        label="Members with this reward"
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ email }) => email}
        emptyTitle={EMPTY[state]}
        selection={
          mayWrite && state !== 'sent' ? { keys: selected, onChange: setSelected } : undefined
        }
      />
      {selected.size > 0 && state !== 'sent' && (
        <SelectionBar summary={`${formatAmount(selected.size, 'reward')} selected`} onClear={clear}>
          <ActionButton
            label="Mark as sent"
            disabled={selected.size > MAX_NAMED_MEMBERS}
            dialog={markSent(
              { tier: tier.tier, states: [state], member_ids: [...selected] },
              clear,
            )}
          />
        </SelectionBar>
      )}
    </Section>
  );
}

function TierActions({ tier, hasSelection }: { tier: RewardTier; hasSelection: boolean }) {
  return (
    <>
      <ExportFiles
        files={[
          {
            name: `rewards-${tier.tier}.csv`,
            path: pathOf('GET exportRewards', { at: [tier.tier] }),
          },
        ]}
      />
      <ActionButton label="Set the budget" dialog={setBudget(tier)} />
      <ActionButton
        label="Ask where to send"
        isOffered={REWARD_KINDS[tier.kind].isAsked}
        dialog={askAddresses(tier)}
      />
      <ActionButton
        label="Mark all as sent"
        isOffered={!hasSelection}
        dialog={markSent({ tier: tier.tier })}
      />
    </>
  );
}

const askAddresses = ({ tier }: RewardTier) =>
  changeForm({
    title: 'Ask where to send the reward',
    confirmLabel: 'Ask',
    undoNote: 'A mail cannot be called back.',
    fields: {
      again: {
        label: 'Also members who were asked before and have not answered',
        kind: 'checkbox',
      },
    },
    want: { kind: 'ask-rewards', input: { tier } },
  });

/** A target that names no members means all that can be sent now. */
const markSent = (target: ChangeInput<'mark-rewards-sent'>, onMade?: () => void) =>
  changeForm({
    title: 'Mark rewards as sent',
    confirmLabel: 'Mark as sent',
    want: { kind: 'mark-rewards-sent', input: target },
    onMade,
  });

const setBudget = ({ tier, budget }: RewardTier) =>
  changeForm({
    title: `Budget of tier ${tier}`,
    confirmLabel: 'Set the budget',
    fields: {
      units: {
        label: 'Rewards',
        kind: 'number',
        max: 999_999,
        value: budget === null ? '' : String(budget.units),
        isRequired: true,
        isFirst: true,
        isShort: true,
      },
      cents_per_unit: {
        label: 'Cost of one',
        kind: 'decimal',
        read: (cost) => Math.round(Number(cost) * 100),
        value: budget === null ? '' : formatCents(budget.cents_per_unit),
        hint: 'In your currency, such as 12.50.',
        max: 999_999.99,
        isRequired: true,
        isShort: true,
      },
    },
    want: { kind: 'set-reward-budget', input: { tier } },
  });

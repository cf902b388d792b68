import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import type { RewardState } from '../../../contract/operator/rewards/reward-changes.ts';
import type { ListedReward, RewardTier } from '../../../contract/operator/rewards/rewards.ts';
import { exportRewards, rewardListQuery } from '../../api/drop/rewards.ts';
import { messageOf } from '../../api/request-error.ts';
import { REWARD_STATES, REWARD_WORDS } from '../../parts/offer-pill.tsx';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useMayWrite } from '../../parts/signed-in.ts';
import type { ListState } from '../../routing/use-list-state.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { FilterBar } from '../../ui/lists/filter-bar.tsx';
import { SelectionBar } from '../../ui/lists/selection-bar.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { Address } from '../../ui/text/address.tsx';
import { formatAmount, formatCount } from '../../ui/text/numbers.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { toasts } from '../../ui/toasts/toasts.ts';
import { AskDialog, BudgetDialog, SentDialog } from './reward-dialogs.tsx';
import { describeExposure } from './reward-words.ts';

/** As many as one change names. */
const MAX_NAMED = 300;
const STATE_OPTIONS = REWARD_STATES.map((state) => ({ value: state, label: REWARD_WORDS[state] }));

const columns: readonly Column<ListedReward>[] = [
  { key: 'email', header: 'Member', cell: ({ email }) => <Address email={email} /> },
  {
    key: 'friends',
    header: 'Friends',
    align: 'end',
    isNarrow: true,
    cell: ({ referral_count }) => formatCount(referral_count),
  },
  {
    key: 'code',
    header: 'Code',
    isNarrow: true,
    isMinor: true,
    cell: ({ referral_code }) => <code>{referral_code}</code>,
  },
  {
    key: 'since',
    header: 'Asked or sent',
    isNarrow: true,
    cell: ({ asked_at, sent_at }) => {
      const at = sent_at ?? asked_at;
      return at === null ? '—' : <RelativeTime at={at} />;
    },
  },
];

/** One tier: its exposure, and its members by the state of their reward. */
export function TierSection({ tier, list }: { tier: RewardTier; list: ListState }) {
  const state = REWARD_STATES.find((one) => one === list.get('state')) ?? 'owed';
  const query = useInfiniteQuery(rewardListQuery(tier.tier, state));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const mayWrite = useMayWrite();
  const rewards = query.data?.pages.flatMap((page) => page.rewards);
  return (
    <Section title={`${tier.tier} · ${tier.reward}`} actions={<TierActions tier={tier} />}>
      <p className={tier.units_over_budget ? 'exposure exposure-over' : 'exposure'}>
        {describeExposure(tier)}
      </p>
      <FilterBar
        controls={
          <Segmented
            label="State"
            options={STATE_OPTIONS}
            value={state}
            onChange={(chosen) => {
              setSelected(new Set());
              list.set({ state: chosen === 'owed' ? '' : chosen });
            }}
          />
        }
        summary={formatAmount(tier[state], 'reward')}
      />
      <StaleNotice query={query} />
      <Table
        label="Members with this reward"
        columns={columns}
        rows={rewards}
        keyOf={({ id }) => id}
        nameOf={({ email }) => email}
        error={errorFaceOf(query)}
        empty={<EmptyFace title={EMPTY[state]} />}
        {...(mayWrite &&
          state !== 'sent' && { selection: { keys: selected, onChange: setSelected } })}
      />
      {rewards !== undefined && query.hasNextPage && (
        <div className="list-end">
          <p className="quiet">{formatCount(rewards.length)} shown</p>
          <Button onClick={() => query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
            Show more
          </Button>
        </div>
      )}
      <Selected tier={tier} state={state} keys={selected} onClear={() => setSelected(new Set())} />
    </Section>
  );
}

const EMPTY: Readonly<Record<RewardState, string>> = {
  owed: 'Nobody is owed this reward',
  asked: 'Nobody is being asked',
  answered: 'Nobody has said where to send it',
  sent: 'None is sent yet',
};

/** Marks the selected rewards as sent. */
function Selected({
  tier: { tier },
  state,
  keys,
  onClear,
}: {
  tier: RewardTier;
  state: RewardState;
  keys: ReadonlySet<string>;
  onClear: () => void;
}) {
  const [isSending, setSending] = useState(false);
  if (keys.size === 0 || state === 'sent') return null;
  return (
    <SelectionBar summary={`${formatAmount(keys.size, 'reward')} selected`} onClear={onClear}>
      <Button disabled={keys.size > MAX_NAMED} onClick={() => setSending(true)}>
        Mark as sent
      </Button>
      {isSending && (
        <SentDialog
          tier={tier}
          states={[state]}
          memberIds={[...keys]}
          onMade={onClear}
          onClose={() => setSending(false)}
        />
      )}
    </SelectionBar>
  );
}

function TierActions({ tier }: { tier: RewardTier }) {
  const mayWrite = useMayWrite();
  const [action, setAction] = useState<'ask' | 'sent' | 'budget' | null>(null);
  const close = () => setAction(null);
  const download = useMutation({
    mutationFn: async () => saveFile(await exportRewards(tier.tier), `rewards-${tier.tier}.csv`),
    onError: (error) =>
      toasts.show({
        title: 'Export failed',
        description: messageOf(error),
        variant: 'destructive',
        urgency: 'foreground',
      }),
  });
  if (!mayWrite) return null;
  return (
    <>
      <Button
        icon={<Download aria-hidden="true" size={16} />}
        isBusy={download.isPending}
        onClick={() => download.mutate()}
      >
        Export
      </Button>
      <Button onClick={() => setAction('budget')}>Set the budget</Button>
      {tier.needs !== null && <Button onClick={() => setAction('ask')}>Ask where to send</Button>}
      <Button onClick={() => setAction('sent')}>Mark as sent</Button>
      {action === 'ask' && <AskDialog tier={tier} onClose={close} />}
      {action === 'sent' && <SentDialog tier={tier.tier} onClose={close} />}
      {action === 'budget' && <BudgetDialog tier={tier} onClose={close} />}
    </>
  );
}

import { operatorPaths } from '../../contract/operator/paths.ts';
import {
  type ListedReward,
  RewardListRequest,
  type Rewards,
  type RewardTier,
} from '../../contract/operator/rewards/rewards.ts';
import type { Command } from '../command-line/command.ts';
import { type Columns, renderTable } from '../command-line/output.ts';
import { UsageError } from '../command-line/values.ts';
import { exporting, list, request } from './api-commands.ts';
import { change } from './changes.ts';

const TIER_COLUMNS: Columns<RewardTier> = [
  'tier',
  'reward',
  'kind',
  'owed',
  'asked',
  'answered',
  'sent',
  ['Units', ({ budget, units }) => budget && `${units} of ${budget.units}`],
  ['Cost', ({ cost_cents }) => (cost_cents === null ? null : moneyOf(cost_cents))],
];

export const rewardsCommand: Command = {
  ...request(operatorPaths.rewards, { describe: describeTiers }),
  about:
    'Lists the tiers with the rewards that are owed, asked for, answered and sent. Or lists the ' +
    'members of a tier; asks where to send rewards; marks them as sent; sets the budget of a tier.',
  commands: {
    list: list<ListedReward>(operatorPaths.rewardsOfTier, {
      query: RewardListRequest,
      cursor: 'after',
      none: 'Nobody is in this state.',
      columns: [
        ['Address', 'email'],
        ['Code', 'referral_code'],
        ['Friends', 'referral_count'],
        'state',
        ['Since', ({ sent_at, asked_at }) => sent_at ?? asked_at],
      ],
    }),
    export: exporting(
      operatorPaths.exportRewards,
      ['state'],
      ([tier]) => `The rewards of tier ${tier} are`,
    ),
    ask: change('ask-rewards'),
    'ask-again': change('ask-rewards', { input: { again: true } }),
    'import-codes': change('import-codes', { fields: ['tier', 'codes'] }),
    'send-codes': change('send-reward-codes'),
    sent: change('mark-rewards-sent', {
      options: ['state'],
      read: ({ options: { state } }) => {
        if (state === 'sent') throw new UsageError('These are sent already.');
        return state === undefined ? {} : { states: [state as 'owed' | 'asked' | 'answered'] };
      },
    }),
    'sent-to': change('mark-rewards-sent', {
      fields: ['tier', 'member_ids'],
      input: { states: ['owed', 'asked', 'answered'] },
    }),
    budget: change('set-reward-budget'),
  },
};

function describeTiers({ tiers }: Rewards): string {
  const outlooks = tiers.map(
    ({ tier, units_if_reached: units, cost_cents_if_reached: cents }) =>
      `If everyone within one friend of tier ${tier} gets there: ${units}` +
      `${cents === null ? '' : `, at a cost of ${moneyOf(cents)}`}.`,
  );
  return `${renderTable(TIER_COLUMNS, tiers)}\n\n${outlooks.join('\n')}`;
}

function moneyOf(cents: number): string {
  return (cents / 100).toFixed(2);
}

import { operatorPaths } from '../../contract/operator/paths.ts';
import type { ListedReward, Rewards, RewardTier } from '../../contract/operator/rewards/rewards.ts';
import type { Command } from '../command-line/command.ts';
import { type Columns, renderTable } from '../command-line/output.ts';
import { readNumber, UsageError } from '../command-line/values.ts';
import { exporting, list, request } from './api-commands.ts';
import { change } from './changes.ts';
import { changeCodeFile } from './code-file.ts';
import { findMember } from './find.ts';

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
      options: ['state'],
      query: ({ state }) => ({ state }),
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
    'import-codes': {
      usage: '<tier> <file>',
      options: ['reason', 'preview', 'json'],
      run: async (call) => {
        const [tier = '', file] = call.words;
        await changeCodeFile('import-codes', call, file, { tier: readNumber(tier, 1, 100) });
      },
    },
    'send-codes': change('send-reward-codes'),
    sent: change('mark-rewards-sent', {
      options: ['state'],
      read: ({ options: { state } }) => {
        if (state === 'sent') throw new UsageError('These are sent already.');
        return state === undefined ? {} : { states: [state as 'owed' | 'asked' | 'answered'] };
      },
    }),
    'sent-to': change('mark-rewards-sent', {
      fields: ['tier'],
      usage: '<tier> <id|address|code>',
      input: { states: ['owed', 'asked', 'answered'] },
      read: async ({ config, words: [, member] }) => ({
        member_ids: [(await findMember(config, member)).id],
      }),
    }),
    budget: change('set-reward-budget', {
      fields: ['tier', 'units'],
      usage: '<tier> <units> <cost of one>',
      read: ({ words: [, , cost = ''] }) => ({ cents_per_unit: readCents(cost) }),
    }),
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

function readCents(cost: string): number {
  if (/^\d{1,6}(\.\d\d)?$/.test(cost)) return Math.round(Number(cost) * 100);
  throw new UsageError(`${cost} is not what one costs, such as 12 or 12.50.`);
}

function moneyOf(cents: number): string {
  return (cents / 100).toFixed(2);
}

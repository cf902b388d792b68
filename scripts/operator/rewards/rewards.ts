/** The rewards of tiers from the command line. */
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import type { RewardPage, Rewards } from '../../../contract/operator/rewards/rewards.ts';
import type { Config } from '../../../server/config.ts';
import { type Options, UsageError } from '../../command-line/command.ts';
import { print, say } from '../../command-line/output.ts';
import { runVerb, type Verbs } from '../../command-line/verbs.ts';
import { callOperator } from '../call-operator.ts';
import { makeChange } from '../changes/make-change.ts';
import { importCodeFile } from '../drop/offers.ts';
import { saveExport } from '../members/export-line.ts';
import { findMember } from '../members/find-members.ts';
import { oneOf } from '../members/member-filter.ts';
import { renderTable } from '../table.ts';

export const rewardVerbs: Verbs = {
  list: { usage: '<tier>', run: listRewards },
  export: { usage: '<tier>', run: exportRewards },
  ask: { usage: '<tier>', run: askMembers },
  'ask-again': { usage: '<tier>', run: (...call) => askMembers(...call, true) },
  'import-codes': { usage: '<tier> <file>', run: importCodes },
  'send-codes': { usage: '<tier>', run: sendCodes },
  sent: { usage: '<tier>', run: markSent },
  'sent-to': { usage: '<tier> <id|address|code>', run: markSent },
  budget: { usage: '<tier> <units> <cost of one>', run: setBudget },
};

type Words = readonly string[];

/** Prints the tiers when no words follow. */
export async function runRewards(config: Config, words: Words, options: Options): Promise<void> {
  if (words.length > 0) return await runVerb('rewards', rewardVerbs, { config, words, options });
  await showTiers(config, options);
}

async function showTiers(config: Config, { json }: Options): Promise<void> {
  const rewards = await callOperator<Rewards>(config, { path: operatorPaths.rewards });
  const rows = rewards.tiers.map((tier) => [
    tier.tier,
    tier.reward,
    tier.needs ?? '',
    tier.owed,
    tier.asked,
    tier.answered,
    tier.sent,
    tier.budget === null ? '' : `${tier.units} of ${tier.budget.units}`,
    tier.cost_cents === null ? '' : moneyOf(tier.cost_cents),
  ]);
  const columns = ['Tier', 'Reward', 'Needs', 'Owed', 'Asked', 'Answered', 'Sent', 'Units', 'Cost'];
  const exposures = rewards.tiers.map(
    ({ tier, units_if_reached: units, cost_cents_if_reached: cents }) =>
      `If everyone within one friend of tier ${tier} gets there: ${units}` +
      `${cents === null ? '' : `, at a cost of ${moneyOf(cents)}`}.`,
  );
  print(json, rewards, () => `${renderTable(columns, rows)}\n\n${exposures.join('\n')}`);
}

async function listRewards(config: Config, [tier = '']: Words, options: Options): Promise<void> {
  const { after, json } = options;
  const state = oneOf('state', options.state);
  const query = new URLSearchParams({
    ...(state !== undefined && { state }),
    ...(after !== undefined && { after }),
  });
  const page = await callOperator<RewardPage>(config, {
    path: `${fillPath(operatorPaths.rewardsOfTier, readTier(tier))}?${query}`,
  });
  const rows = page.rewards.map((reward) => [
    reward.email,
    reward.referral_code,
    reward.referral_count,
    reward.state,
    reward.sent_at ?? reward.asked_at ?? '',
  ]);
  print(json, page, () =>
    rows.length === 0
      ? 'Nobody is in this state.'
      : renderTable(['Address', 'Code', 'Friends', 'State', 'Since'], rows),
  );
  if (page.next !== null) say(json, `There are more: the same command with --after ${page.next}`);
}

async function exportRewards(config: Config, [tier = '']: Words, options: Options): Promise<void> {
  const state = oneOf('state', options.state);
  const query = state === undefined ? '' : `?state=${state}`;
  const path = fillPath(operatorPaths.exportRewards, readTier(tier)) + query;
  const what = `The rewards of tier ${tier} are`;
  await saveExport(config, { path }, { what, output: options.output });
}

async function askMembers(
  config: Config,
  [tier = '']: Words,
  options: Options,
  isAgain = false,
): Promise<void> {
  const input = { tier: Number(readTier(tier)), ...(isAgain && { again: true }) };
  await makeChange(config, { kind: 'ask-rewards', input }, options);
}

async function importCodes(config: Config, [tier = '', path = '']: Words, options: Options) {
  await importCodeFile(config, path, { purpose: { tier: Number(readTier(tier)) }, options });
}

async function sendCodes(config: Config, [tier = '']: Words, options: Options): Promise<void> {
  const input = { tier: Number(readTier(tier)) };
  await makeChange(config, { kind: 'send-reward-codes', input }, options);
}

async function markSent(config: Config, [tier = '', member]: Words, options: Options) {
  const state = oneOf('state', options.state);
  if (state === 'sent') throw new UsageError('These are sent already.');
  const states = member === undefined ? undefined : (['owed', 'asked', 'answered'] as const);
  const input = {
    tier: Number(readTier(tier)),
    ...(states !== undefined && { states: [...states] }),
    ...(state !== undefined && { states: [state] }),
    ...(member !== undefined && { member_ids: [(await findMember(config, member)).id] }),
  };
  await makeChange(config, { kind: 'mark-rewards-sent', input }, options);
}

async function setBudget(
  config: Config,
  [tier = '', units = '', cost = '']: Words,
  options: Options,
): Promise<void> {
  if (!/^\d{1,7}$/.test(units)) throw new UsageError(`${units} is not a number of units.`);
  if (!/^\d{1,6}(\.\d\d)?$/.test(cost))
    throw new UsageError(`${cost} is not what one costs, such as 12 or 12.50.`);
  const cents = Math.round(Number(cost) * 100);
  const input = { tier: Number(readTier(tier)), units: Number(units), cents_per_unit: cents };
  await makeChange(config, { kind: 'set-reward-budget', input }, options);
}

function readTier(text: string): string {
  if (!/^[1-9]\d{0,1}$/.test(text)) throw new UsageError(`${text} is not a tier, such as 1.`);
  return text;
}

function moneyOf(cents: number): string {
  return (cents / 100).toFixed(2);
}

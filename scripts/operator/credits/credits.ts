/** Held credits from the command line: the list, and every decision about them. */
import type {
  CreditGroup,
  CreditQueue,
  HeldCredits,
} from '../../../contract/operator/credits/credits.ts';
import type { MemberSheet } from '../../../contract/operator/member-sheet.ts';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import type { Options } from '../../command-line/command.ts';
import { print, say } from '../../command-line/output.ts';
import { runVerb, type Verbs } from '../../command-line/verbs.ts';
import { callOperator } from '../call-operator.ts';
import { makeChange } from '../changes/make-change.ts';
import { findMember } from '../members/find-members.ts';
import { renderTable } from '../table.ts';

const FRIEND = '<id|address of the friend>';

export const creditVerbs: Verbs = {
  list: { usage: '', run: listGroups },
  show: { usage: '<code>', run: showGroup },
  approve: { usage: FRIEND, run: (...call) => decideOne('given', ...call) },
  refuse: { usage: FRIEND, run: (...call) => decideOne('refused', ...call) },
  'approve-code': {
    usage: '<code>',
    run: (config, [code = ''], options) => decideGroup('given', config, { code }, options),
  },
  'refuse-code': {
    usage: '<code>',
    run: (config, [code = ''], options) => decideGroup('refused', config, { code }, options),
  },
  'approve-rule': {
    usage: '<rule>',
    run: (config, [rule = ''], options) => decideGroup('given', config, { rule }, options),
  },
  'refuse-rule': {
    usage: '<rule>',
    run: (config, [rule = ''], options) => decideGroup('refused', config, { rule }, options),
  },
  'approve-network': {
    usage: FRIEND,
    run: async (config, [text = ''], options) => {
      const { id } = await findMember(config, text);
      await decideGroup('given', config, { network_of: id }, options);
    },
  },
  hold: {
    usage: '<code>',
    run: (config, [code = ''], options) =>
      makeChange(config, { kind: 'hold-code', input: { code } }, options),
  },
  release: {
    usage: '<code>',
    run: (config, [code = ''], options) =>
      makeChange(config, { kind: 'release-code', input: { code } }, options),
  },
  trust: { usage: FRIEND, run: (...call) => changeTrust('trust-network', ...call) },
  distrust: { usage: FRIEND, run: (...call) => changeTrust('distrust-network', ...call) },
};

type Words = readonly string[];
type State = 'given' | 'refused';

/** Prints the list when no words follow. */
export async function runCredits(config: Config, words: Words, options: Options): Promise<void> {
  if (words.length > 0) return await runVerb('credits', creditVerbs, { config, words, options });
  await listGroups(config, words, options);
}

async function listGroups(config: Config, _words: Words, options: Options): Promise<void> {
  const { after, json, rule, 'second-look': isSecondLook } = options;
  const query = new URLSearchParams({
    ...(rule !== undefined && { rule }),
    ...(isSecondLook && { second_look: 'asked' }),
    ...(after !== undefined && { after }),
  });
  const page = await callOperator<CreditQueue>(config, {
    path: `${operatorPaths.credits}?${query}`,
  });
  print(json, page, () => (page.groups.length === 0 ? 'Nothing waits.' : renderGroups(page)));
  if (page.next !== null) say(json, `There are more: the same command with --after ${page.next}`);
}

function renderGroups({ groups }: CreditQueue): string {
  const rows = groups.map((group) => [
    group.referrer.referral_code,
    group.referrer.email,
    group.held,
    group.friends.given,
    group.friends.refused,
    describeState(group),
    group.rules.map(({ rule, credits }) => `${rule} ${credits}`).join(', '),
    group.since,
  ]);
  return renderTable(
    ['Code', 'Invited by', 'Held', 'Given', 'Refused', 'State', 'Rules', 'Since'],
    rows,
  );
}

function describeState({ is_on_hold, second_look_at }: CreditGroup): string {
  return [is_on_hold ? 'all held' : '', second_look_at === null ? '' : 'second look asked']
    .filter((word) => word !== '')
    .join(', ');
}

async function showGroup(config: Config, [text = '']: Words, options: Options): Promise<void> {
  const { after, json } = options;
  const { id } = await findMember(config, text);
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
  const path = fillPath(operatorPaths.creditsOfCode, id) + query;
  const page = await callOperator<HeldCredits>(config, { path });
  const rows = page.credits.map((credit) => [
    credit.id,
    credit.email,
    credit.position,
    credit.score,
    credit.held_by,
    credit.network,
    credit.credit_reasons.join(', '),
    credit.since,
  ]);
  const columns = ['Id', 'Friend', 'Position', 'Score', 'Held by', 'Network', 'Rules', 'Since'];
  print(json, page, () =>
    rows.length === 0 ? 'Nothing of this code waits.' : renderTable(columns, rows),
  );
  if (page.next !== null) say(json, `There are more: the same command with --after ${page.next}`);
}

async function decideOne(state: State, config: Config, [text = '']: Words, options: Options) {
  const { id } = await findMember(config, text);
  const { member } = await callOperator<MemberSheet>(config, {
    path: fillPath(operatorPaths.member, id),
  });
  // Held is not final, whoever held it. What was decided otherwise stays.
  const again = member.credit === 'held';
  const input = { state, member_ids: [id], ...(again && { again }) };
  await makeChange(config, { kind: 'decide-credits', input }, options);
}

type Group =
  | { readonly code: string }
  | { readonly rule: string }
  | { readonly network_of: string };

async function decideGroup(state: State, config: Config, group: Group, options: Options) {
  const input = { state, ...group, again: true };
  await makeChange(config, { kind: 'decide-credits', input }, options);
}

async function changeTrust(
  kind: 'trust-network' | 'distrust-network',
  config: Config,
  [text = '']: Words,
  options: Options,
) {
  const { id } = await findMember(config, text);
  await makeChange(config, { kind, input: { member_id: id } }, options);
}

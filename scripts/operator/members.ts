/** Commands about members that are more than one call. */
import { InvalidArgumentError } from 'commander';
import { FIELD_NAMES, memberField } from '../../contract/member-fields.ts';
import { type MemberCount, MemberListRequest } from '../../contract/operator/member-list.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { say } from '../command-line/output.ts';
import type { Definition } from '../command-line/program.ts';
import { callOperator } from './call-operator.ts';
import { ask, request } from './calls.ts';
import { change } from './changes.ts';
import { FILTER, findValues, readNumber } from './fields.ts';

export const MEMBER_COLUMNS = FIELD_NAMES.filter((name) => memberField(name).head !== undefined)
  .map((name) => `${memberField(name).head}:${name}`)
  .join(' ');

/** Empty ones are left out. */
export const MEMBER_FACTS = FIELD_NAMES.map(
  (name) => `${memberField(name).label.replaceAll(' ', '_')}:${name}`,
).join(' ');

const list = request(operatorPaths.listMembers, {
  about: 'Lists the members that match all given options, a page at a time.',
  body: MemberListRequest,
  words: [],
  shows: MEMBER_COLUMNS,
});

export const members: Definition = {
  ...list,
  run: async ({ config, values }) => {
    await list.run({ config, values });
    const body = await findValues(FILTER, values, config);
    const path = operatorPaths.countMembers;
    const { count, is_exact } = await callOperator<MemberCount>(config, path, { body });
    say(values, `${is_exact ? '' : 'More than '}${count.toLocaleString('en')} in all.`);
  },
};

const erasure = change('erase-member', {
  about: 'Removes a member for good, at their request, also one who was removed before.',
});

export const erase: Definition = {
  ...erasure,
  options: [
    { name: 'yes', isFlag: true, about: 'do not ask for confirmation' },
    ...(erasure.options ?? []),
  ],
  run: async (call) => {
    const { yes, preview } = call.values;
    if (yes || preview || (await confirm())) await erasure.run(call);
    else say({}, 'Nobody was erased.');
  },
};

export const adjustPoints = change('adjust-points', {
  about: 'Gives points to a member, or takes some. Two points are worth one friend.',
  words: [
    'member_id',
    { name: 'direction', choices: ['add', 'take'] },
    { name: 'points', parse: (text) => readNumber(text, 1, 10_000) },
  ],
  options: [],
  read: (_, { direction, points }) => ({
    by: direction === 'add' ? Number(points) : -Number(points),
  }),
});

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new InvalidArgumentError('Without a terminal, add --yes to erase the member.');
  const answer = await ask('Erase this member? This cannot be undone. [y/N] ');
  return /^y(es)?$/i.test(answer.trim());
}

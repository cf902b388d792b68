import { type FirstMember, FirstRequest } from '../../contract/operator/first-in-line.ts';
import type { MemberSheet } from '../../contract/operator/member-sheet.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Command } from '../command-line/command.ts';
import { list } from './api-commands.ts';
import { callOperator } from './call-operator.ts';
import { change } from './changes.ts';
import { pathOfWords } from './field-words.ts';

export const firstCommand: Command = {
  ...list<FirstMember>(operatorPaths.firstInLine, {
    query: FirstRequest,
    none: 'Nobody in line has confirmed their address.',
    columns: [
      'place',
      ['Member', ({ member }) => member.email],
      ['Invited by', ({ invited_by }) => invited_by?.email ?? ''],
      ['Friends', ({ friends }) => friends.joined],
      ['Confirmed', ({ friends }) => friends.confirmed],
      ['Counting', ({ friends }) => friends.counting],
      'alike',
      ['Looked at by', ({ looked }) => looked?.by ?? ''],
    ],
  }),
  about: 'Lists who a freeze would put first, those who are most alike on top.',
};

export const creditsCommand: Command = {
  about:
    'Decides about credits for friends: about one friend, all at a domain, or all from one ' +
    'network. Without --code, about friends of everybody.',
  commands: {
    approve: decideOne('given'),
    hold: decideOne('held'),
    refuse: decideOne('refused'),
    'approve-code': change('decide-credits', {
      fields: ['code'],
      input: { state: 'given', again: true },
    }),
    ...decideGroups('domain'),
    ...decideGroups('network'),
    'look-at': change('look-at-member'),
  },
};

function decideOne(state: 'given' | 'held' | 'refused'): Command {
  return change('decide-credits', {
    fields: ['member_ids'],
    read: async (call) => {
      const path = await pathOfWords(operatorPaths.member, call);
      const { member } = await callOperator<MemberSheet>(call.config, path);
      return { state, ...(member.credit === 'held' && { again: true }) };
    },
  });
}

function decideGroups(by: 'domain' | 'network'): Record<string, Command> {
  const fields = [by === 'domain' ? 'domain' : 'network_of'] as const;
  const states = { approve: 'given', hold: 'held', refuse: 'refused' } as const;
  return Object.fromEntries(
    Object.entries(states).map(([verb, state]) => [
      `${verb}-${by}`,
      change('decide-credits', { fields, options: ['code'], input: { state, again: true } }),
    ]),
  );
}

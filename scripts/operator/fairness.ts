import {
  type CreditGroup,
  CreditQueueRequest,
  type HeldCredits,
} from '../../contract/operator/credits/credits.ts';
import { type FirstMember, FirstRequest } from '../../contract/operator/credits/first-in-line.ts';
import type { MemberSheet } from '../../contract/operator/member-sheet.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Command } from '../command-line/command.ts';
import { list } from './api-commands.ts';
import { callOperator } from './call-operator.ts';
import { change } from './changes.ts';
import { pathOfWords } from './field-words.ts';

const GIVE_ALL = { input: { state: 'given', again: true } } as const;
const REFUSE_ALL = { input: { state: 'refused', again: true } } as const;

const groups = list<CreditGroup>(operatorPaths.credits, {
  query: CreditQueueRequest,
  cursor: 'after',
  none: 'Nothing waits.',
  columns: [
    ['Code', ({ referrer }) => referrer.referral_code],
    ['Invited by', ({ referrer }) => referrer.email],
    'held',
    ['Given', ({ friends }) => friends.given],
    ['Refused', ({ friends }) => friends.refused],
    ['State', describeState],
    ['Rules', ({ rules }) => rules.map(({ rule, credits }) => `${rule} ${credits}`).join(', ')],
    'since',
  ],
});

export const creditsCommand: Command = {
  ...groups,
  about:
    'Lists the codes with held credits, or decides: about one friend, all held credits of a ' +
    'code, all that a rule found, all from one network.',
  commands: {
    list: groups,
    show: list<HeldCredits['credits'][number]>(operatorPaths.creditsOfCode, {
      cursor: 'after',
      none: 'Nothing of this code waits.',
      columns: [
        'id',
        ['Friend', 'email'],
        'position',
        'score',
        'held_by',
        'network',
        ['Rules', ({ credit_reasons }) => credit_reasons.join(', ')],
        'since',
      ],
    }),
    first: list<FirstMember>(operatorPaths.firstInLine, {
      query: FirstRequest,
      none: 'Nobody is in line.',
      columns: [
        ['Suspicion', ({ suspicion }) => suspicion.score],
        'place',
        ['Member', ({ member }) => member.email],
        ['Friends', ({ friends }) => friends.joined],
        ['Confirmed', ({ friends }) => friends.confirmed],
        ['Counting', ({ friends }) => friends.counting],
        ['Open mailboxes', ({ mailboxes }) => mailboxes.open],
        ['Networks', ({ traces }) => traces.networks],
        ['Browsers', ({ traces }) => traces.browsers],
        ['Hours', ({ hours }) => hours.span],
        ['Near misses', 'near_misses'],
        ['Why', ({ suspicion }) => suspicion.signs.map(({ sign }) => sign).join(', ')],
        ['Looked at by', ({ looked }) => looked?.by ?? ''],
      ],
    }),
    'look-at': change('look-at-member'),
    approve: decideOne('given'),
    refuse: decideOne('refused'),
    'approve-code': change('decide-credits', { ...GIVE_ALL, fields: ['code'] }),
    'refuse-code': change('decide-credits', { ...REFUSE_ALL, fields: ['code'] }),
    'approve-rule': change('decide-credits', { ...GIVE_ALL, fields: ['rule'] }),
    'refuse-rule': change('decide-credits', { ...REFUSE_ALL, fields: ['rule'] }),
    'approve-network': change('decide-credits', { ...GIVE_ALL, fields: ['network_of'] }),
    hold: change('hold-code'),
    release: change('release-code'),
    trust: change('trust-network'),
    distrust: change('distrust-network'),
  },
};

function describeState({ is_on_hold, second_look_at }: CreditGroup): string {
  return [is_on_hold && 'all held', second_look_at && 'second look asked']
    .filter(Boolean)
    .join(', ');
}

function decideOne(state: 'given' | 'refused'): Command {
  return change('decide-credits', {
    fields: ['member_ids'],
    read: async (call) => {
      const path = await pathOfWords(operatorPaths.member, call);
      const { member } = await callOperator<MemberSheet>(call.config, path);
      return { state, ...(member.credit === 'held' && { again: true }) };
    },
  });
}

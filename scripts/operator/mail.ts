import {
  type FailedMail,
  type ResumedMail,
  ResumeMailRequest,
  type SuppressedAddress,
  type TestMail,
  TestMailRequest,
  type WaitingMail,
} from '../../contract/operator/mails.ts';
import type { FoundMember } from '../../contract/operator/members.ts';
import type { OverviewHealth } from '../../contract/operator/overview.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Command, Commands } from '../command-line/command.ts';
import { oneLine, say } from '../command-line/output.ts';
import { list, request } from './api-commands.ts';
import { callOperator } from './call-operator.ts';
import { change } from './changes.ts';

const MEMBER = ['Member', ({ member }: Pick<WaitingMail, 'member'>) => member?.email] as const;

const waitingList = list<WaitingMail>(operatorPaths.waitingMails, {
  cursor: 'after',
  none: 'No mail waits.',
  columns: ['kind', MEMBER, 'queued_at', 'attempts', 'next_at', 'cause'],
});

const waiting: Command = {
  ...waitingList,
  run: async (call) => {
    const { mail } = await callOperator<OverviewHealth>(call.config, operatorPaths.overviewHealth);
    say(call.options, mail.problem);
    await waitingList.run(call);
  },
};

export const mailCommands: Commands = {
  'resume-mail': request(operatorPaths.resumeMail, {
    about: 'Sends mail again to an address that unsubscribed, bounced or complained. Ask first.',
    body: ResumeMailRequest,
    describe: ({ reason }: ResumedMail, [email]) => {
      const was = reason === null ? 'not suppressed before' : `suppressed: ${reason}`;
      return `Mail to ${email} is on. It was ${was}.`;
    },
  }),
  'test-mail': request(operatorPaths.testMail, {
    about: 'Sends a mail to the address, and says what the mail server answers.',
    body: TestMailRequest,
    describe: describeTest,
    failure: explainFailure,
  }),
  mails: {
    ...waiting,
    about:
      'Mails that wait, and why none leaves; mails that never arrived, which retry sends again; ' +
      'or addresses that get none.',
    commands: {
      waiting,
      failed: list<FailedMail>(operatorPaths.failedMails, {
        cursor: 'after',
        none: 'Every mail of the last 30 days arrived or still waits.',
        columns: [
          'kind',
          MEMBER,
          'queued_at',
          'attempts',
          'ended_at',
          ['Outcome', ({ outcome }) => outcome.replace('_', ' ')],
          'cause',
          ['Status', 'response_code'],
        ],
      }),
      suppressed: list<SuppressedAddress>(operatorPaths.suppressedAddresses, {
        cursor: 'after',
        none: 'No address is suppressed.',
        columns: ['reason', 'since', MEMBER],
      }),
      retry: change('retry-mails'),
    },
  },
};

export function describeTest({ outcome, file, answer }: TestMail): string {
  return outcome === 'kept'
    ? `SMTP_URL is not set, so nothing was sent. For an hour the mail is in ${file}.`
    : `The mail server took it: ${oneLine(answer)}`;
}

export function explainFailure(mail: TestMail): string | null {
  const { outcome, cause, error_code, answer, advice } = mail;
  if (outcome !== 'failed') return null;
  const reason = answer === null ? (error_code ?? '') : oneLine(answer);
  return [`Not sent: ${cause ?? ''}${reason && ` (${reason})`}.`, advice].filter(Boolean).join(' ');
}

export function describeMail({
  confirmed_at,
  mail: { state, since, mails },
}: Pick<FoundMember, 'confirmed_at' | 'mail'>): [string, string][] {
  return [
    ['Confirmed', confirmed_at ?? 'no'],
    ['Mail', state === 'sending' ? 'on' : `off since ${since ?? ''}: ${state}`],
    ...mails.map(({ kind, queued_at, ended_at, state: outcome, cause }): [string, string] => {
      const end = [outcome.replace('_', ' '), ended_at, cause && `(${cause})`];
      return [`Mail ${queued_at}`, `${kind}: ${end.filter(Boolean).join(' ')}`];
    }),
  ];
}

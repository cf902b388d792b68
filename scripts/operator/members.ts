import type { Joining } from '../../contract/operator/changes.ts';
import { MemberFilter } from '../../contract/operator/member-filter.ts';
import type { ListedMember, MemberCount, MemberPage } from '../../contract/operator/member-list.ts';
import { type MemberSheet, NoteRequest } from '../../contract/operator/member-sheet.ts';
import type { FoundMember } from '../../contract/operator/members.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Call, Commands } from '../command-line/command.ts';
import { FILTER_OPTIONS } from '../command-line/options.ts';
import { type Columns, print, renderPairs, say } from '../command-line/output.ts';
import { readFields, readNumber, UsageError } from '../command-line/values.ts';
import { adviseNext, describeRows, list, request } from './api-commands.ts';
import { ask } from './ask.ts';
import { callOperator } from './call-operator.ts';
import { change } from './changes.ts';
import { saveExport } from './export.ts';
import { findMembers } from './find.ts';
import { describeMail } from './mail.ts';

const MEMBER = '<id|address|code>';

const MEMBER_COLUMNS: Columns<ListedMember> = [
  'position',
  ['Member', 'email'],
  ['Code', 'referral_code'],
  ['Referrals', 'referral_count'],
  ['Confirmed', 'confirmed_referrals'],
  ['Tier', 'tier_level'],
  'credit',
  ['Mail', 'mail_state'],
  'joined_at',
];

const erase = change('erase-member', {
  usage: '<id|address>',
  fields: ['member'],
  about: 'Removes a member for good, at their request, also one who was removed before.',
  options: ['yes'],
});

export const memberCommands: Commands = {
  find: {
    usage: MEMBER,
    about: 'Finds a member by id, e-mail address or referral code.',
    options: ['json'],
    run: async ({ config, words: [text = ''], options }) => {
      const members = await findMembers(config, text);
      print(options, members, members.map(describeMember).join('\n\n'));
    },
  },
  show: request(operatorPaths.member, {
    about: 'A member and why they stand where they do: friends, mails, notes, changes.',
    describe: describeSheet,
  }),
  friends: list<ListedMember>(operatorPaths.friends, {
    about: 'The friends that a member brought, in order of joining, a page at a time.',
    cursor: 'after',
    columns: MEMBER_COLUMNS,
    none: 'None of their friends is in line.',
  }),
  note: request(operatorPaths.notes, {
    about: 'Adds a note about a member. It is part of the data that they may ask for.',
    body: NoteRequest,
    describe: () => 'The note is kept with the member.',
  }),
  members: {
    about: 'Lists the members that match all given options, a page at a time.',
    options: [...FILTER_OPTIONS, 'sort', 'order', 'after', 'json'],
    run: listMembers,
  },
  export: {
    about:
      'Writes the members that match all given options, or all, in order of position: to the ' +
      'terminal or to a file only you can read.',
    options: ['format', 'output', ...FILTER_OPTIONS],
    run: async ({ config, options }) => {
      const body = { format: options.format ?? 'csv', filter: readFields(MemberFilter, options) };
      const request = { path: operatorPaths.exportMembers, body };
      await saveExport(config, request, 'The line is', options);
    },
  },
  joining: request(operatorPaths.joining, {
    about: 'Whether joining is paused, and what visitors are told.',
    describe: ({ paused }: Joining) =>
      paused === null
        ? 'Everybody can join.'
        : `Joining is paused since ${paused.since}: ${paused.message}`,
  }),
  remove: change('remove-members', {
    usage: '[id|address|code]',
    fields: ['member_ids'],
    about: 'Removes a member, or all that match all options, with credits they gave.',
    options: FILTER_OPTIONS,
    read: ({ words, options }) => {
      const filter = readFields(MemberFilter, options);
      if ((words.length === 0) === (Object.keys(filter).length === 0))
        throw new UsageError('Name one member, or several by options such as --credit held.');
      return words.length === 0 ? { filter } : {};
    },
  }),
  erase: {
    ...erase,
    run: async (call) => {
      const { yes, preview } = call.options;
      if (yes || preview || (await confirm())) await erase.run(call);
      else say({}, 'Nobody was erased.');
    },
  },
  'adjust-points': change('adjust-points', {
    fields: ['member_id'],
    usage: `${MEMBER} add|take <points>`,
    about: 'Gives points to a member, or takes some. Two points are worth one friend.',
    read: ({ words: [, direction, points = ''] }) => {
      const by = readNumber(points, 1, 10_000);
      return { by: direction === 'add' ? by : -by };
    },
  }),
  'correct-address': change('correct-address', {
    about: 'Gives a member another e-mail address, which must be confirmed again.',
  }),
  'resend-link': change('resend-link', {
    about: 'Mails a member the link to their status again.',
  }),
  pause: change('pause-joining', {
    about: 'Pauses joining, on all servers. Visitors are told the message.',
  }),
  reopen: change('reopen-joining', { about: 'Lets everybody join again.' }),
};

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError('Without a terminal, add --yes to erase the member.');
  const answer = await ask('Erase this member? This cannot be undone. [y/N] ');
  return /^y(es)?$/i.test(answer.trim());
}

function describeSheet(sheet: MemberSheet): string {
  const { member, why, brought_by, friends, mail, notes, audit } = sheet;
  const pairs = [
    ['Id', member.id],
    ['Position', member.position],
    ['Why', why],
    ['Brought by', brought_by?.email],
    ...Object.entries(friends).map(([state, count]) => [`Friends ${state}`, count] as const),
    ...describeMail({ ...member, mail }),
    ...notes.map((note) => [`Note ${note.written_at}`, `${note.author}: ${note.body}`] as const),
    ...audit.map((one) => [`Change ${one.number}`, `${one.summary} (${one.reason})`] as const),
  ] as const;
  return renderPairs(pairs, ['Member', member.email]);
}

function describeMember(member: FoundMember): string {
  const { is_invited, referred_by } = member;
  const pairs = {
    Id: member.id,
    Position: member.position,
    'Referral code': member.referral_code,
    Referrals: member.referral_count,
    'Confirmed referrals': member.confirmed_referrals,
    Points: member.points,
    Tier: member.tier_level,
    Invited: is_invited ? `yes, from ${referred_by ?? 'a removed member'}` : 'no',
    Joined: member.joined_at,
  };
  const all = [...Object.entries(pairs), ...describeMail(member)];
  return renderPairs(all, ['Member', member.email]);
}

async function listMembers({ config, options }: Call): Promise<void> {
  const filter = readFields(MemberFilter, options);
  const { sort, order, after } = options;
  const readPage = (from?: string | null) =>
    callOperator<MemberPage>(config, operatorPaths.listMembers, {
      body: { filter, sort, order, after: from },
    });
  let page = await readPage(after);
  while (page.is_partial && page.members.length === 0) page = await readPage(page.next);
  const { members } = page;
  print(options, page, describeRows(MEMBER_COLUMNS, members, 'No member matches.'));
  const body = { filter };
  const { count, is_exact } = await callOperator<MemberCount>(config, operatorPaths.countMembers, {
    body,
  });
  say(options, `${is_exact ? '' : 'More than '}${count.toLocaleString('en')} in all.`);
  say(options, adviseNext(page));
}

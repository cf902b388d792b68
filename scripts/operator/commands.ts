/** All commands. Those that need more than the server are loaded when they run. */
import {
  AuditPageRequest,
  type ChangeInput,
  type ChangeKind,
  changeInputs,
  type Joining,
  type MadeChange,
  UndoRequest,
} from '../../contract/operator/changes.ts';
import { FirstRequest } from '../../contract/operator/first-in-line.ts';
import { TopInvitersRequest } from '../../contract/operator/inviters.ts';
import {
  MailPageRequest,
  type ResumedMail,
  ResumeMailRequest,
  TestMailRequest,
} from '../../contract/operator/mails.ts';
import { ExportMembersRequest } from '../../contract/operator/member-list.ts';
import { FriendsRequest, NoteRequest } from '../../contract/operator/member-sheet.ts';
import { FindMembersRequest, type FoundMembers } from '../../contract/operator/members.ts';
import type { Overview, OverviewHealth } from '../../contract/operator/overview.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { RewardExportRequest, RewardListRequest } from '../../contract/operator/rewards/rewards.ts';
import { VerifyRequest } from '../../contract/operator/verification.ts';
import { SCRIPTS } from '../command-line/completion.ts';
import { describe, print, say } from '../command-line/output.ts';
import type { Definition, Definitions, Field } from '../command-line/program.ts';
import { access } from './access.ts';
import { callOperator } from './call-operator.ts';
import { attempt, request } from './calls.ts';
import { campaign } from './campaigns.ts';
import { adviseUndo, change, ownTimeZone } from './changes.ts';
import { drop } from './drop.ts';
import { fieldOf, JSON_OUTPUT, readNumber } from './fields.ts';
import { importList } from './imports.ts';
import * as members from './members.ts';
import { webhooks } from './webhooks.ts';

type Decision = ChangeInput<'decide-credits'>['state'];

const TIER = { ...fieldOf('tier', changeInputs['import-codes']), isOptional: false };
const KEEP: Field = {
  name: 'keep',
  label: 'number',
  about: 'keep only this many of the backups that were named after their time',
  parse: (text) => readNumber(text, 1, 99_999),
};
const THIS_IS_THE_LINE: Field = {
  name: 'this_is_the_line',
  isFlag: true,
  about: 'let it act at once, in place of a server that never runs again',
};

const FIGURES =
  'Members_now:members Joins_today:today.joins totals invited_share k_factor ' +
  'Minutes_to_the_first_friend:first_friend.quartiles';

const overview: Definition = {
  about: 'The main figures of the last 30 days: visits, joins, invites, mail, backup.',
  options: [JSON_OUTPUT],
  run: async ({ config, values }) => {
    const query = { tz: ownTimeZone() };
    const figures = await callOperator<Overview>(config, operatorPaths.overview, { query });
    const health = await callOperator<OverviewHealth>(config, operatorPaths.overviewHealth);
    const { notices, ...others } = health;
    const today = figures.buckets.at(-1);
    const parts = [describe({ ...figures, today }, FIGURES), describe(others), ...notices];
    print(values, { overview: figures, health }, parts.join('\n\n'));
  },
};

const waiting = request(operatorPaths.waitingMails, { query: MailPageRequest });

const mails: Definition = {
  ...waiting,
  about: 'Mails that wait, and why none leaves; or mails that failed; or addresses without mail.',
  run: async (call) => {
    const { mail } = await callOperator<OverviewHealth>(call.config, operatorPaths.overviewHealth);
    say(call.values, mail.problem);
    await waiting.run(call);
  },
  commands: {
    waiting,
    failed: request(operatorPaths.failedMails, { query: MailPageRequest }),
    suppressed: request(operatorPaths.suppressedAddresses, { query: MailPageRequest }),
    retry: change('retry-mails'),
  },
};

function decide(state: Decision, by: 'member_ids' | 'code' | 'domain' | 'network_of') {
  return change('decide-credits', {
    words: [{ ...fieldOf(by, changeInputs['decide-credits']), isOptional: false }],
    options: by === 'domain' || by === 'network_of' ? ['code'] : [],
    input: { state, again: true },
  });
}

const credits: Definition = {
  about: 'Decides about credits for friends: of one, at a domain, or from a network.',
  commands: {
    approve: decide('given', 'member_ids'),
    hold: decide('held', 'member_ids'),
    refuse: decide('refused', 'member_ids'),
    'approve-code': decide('given', 'code'),
    'approve-domain': decide('given', 'domain'),
    'hold-domain': decide('held', 'domain'),
    'refuse-domain': decide('refused', 'domain'),
    'approve-network': decide('given', 'network_of'),
    'hold-network': decide('held', 'network_of'),
    'refuse-network': decide('refused', 'network_of'),
    'look-at': change('look-at-member'),
  },
};

const rewards = request(operatorPaths.rewards, {
  about: 'Lists the tiers with what is owed, asked and sent, and what it costs; or acts on them.',
  shows:
    'tier reward kind owed asked answered sent units Of_budget:budget.units Cost:cost_cents ' +
    'If_reached:units_if_reached Cost_if_reached:cost_cents_if_reached',
  commands: {
    list: request(operatorPaths.rewardsOfTier, { query: RewardListRequest }),
    export: request(operatorPaths.exportRewards, {
      query: RewardExportRequest,
      file: 'The rewards are',
    }),
    ask: change('ask-rewards', { options: [] }),
    'ask-again': change('ask-rewards', { options: [], input: { again: true } }),
    'import-codes': change('import-codes', { words: [TIER, 'codes'], options: [] }),
    'send-codes': change('send-reward-codes', { options: [] }),
    sent: change('mark-rewards-sent', { options: ['states'] }),
    'sent-to': change('mark-rewards-sent', {
      words: ['tier', fieldOf('member_ids')],
      options: [],
      input: { states: ['owed', 'asked', 'answered'] },
    }),
    budget: change('set-reward-budget'),
  },
});

export const groups = {
  'How it goes': {
    counts: request(operatorPaths.counts, {
      about: 'Members in line, masks remaining, top referrer.',
      shows: 'members Masks_remaining:available_masks Top_referrer:best_referral_count',
    }),
    inviters: request(operatorPaths.topInviters, {
      about: 'Who brought the most friends, in the last week or another time, and from where.',
      query: TopInvitersRequest,
    }),
    overview,
    'pin-source': change('pin-source', { about: 'Counts the visits by a source apart.' }),
    'unpin-source': change('unpin-source', { about: 'Counts them apart while there is room.' }),
  },
  'Members and joining': {
    find: request<FoundMembers>(operatorPaths.findMembers, {
      about: 'Finds a member by id, e-mail address or referral code.',
      body: FindMembersRequest,
      says: ({ members: found }) =>
        found.map((member) => describe(member, `${members.MEMBER_FACTS} mail`)).join('\n\n'),
      failure: ({ members }) => (members.length > 0 ? null : 'No member matches this.'),
    }),
    show: request(operatorPaths.member, {
      about: 'A member and why they stand where they do: friends, mails, notes, changes.',
      shows:
        'Member:member.email Id:member.id Position:member.position why ' +
        'Brought_by:brought_by.email Confirmed:member.confirmed_at friends mail notes ' +
        'Changes:audit',
    }),
    friends: request(operatorPaths.friends, {
      about: 'The friends that a member brought, in order of joining, a page at a time.',
      query: FriendsRequest,
      shows: members.MEMBER_COLUMNS,
    }),
    note: request(operatorPaths.notes, {
      about: 'Adds a note about a member. It is part of the data that they may ask for.',
      body: NoteRequest,
      says: 'The note is kept with the member.',
    }),
    members: members.members,
    export: request(operatorPaths.exportMembers, {
      about: 'Writes the members that match all given options, or all, in order of position.',
      body: ExportMembersRequest,
      words: [],
      input: { format: 'csv' },
      file: 'The line is',
    }),
    joining: request<Joining>(operatorPaths.joining, {
      about: 'Whether joining is paused, and what visitors are told.',
      says: ({ paused }) =>
        paused === null
          ? 'Everybody can join.'
          : `Joining is paused since ${paused.since}: ${paused.message}`,
    }),
    remove: change('remove-members', {
      about: 'Removes a member, or all that match all options, with credits they gave.',
      words: ['member_ids'],
    }),
    erase: members.erase,
    'adjust-points': members.adjustPoints,
    'correct-address': change('correct-address', { about: 'Gives a member another address.' }),
    'resend-link': change('resend-link', { about: 'Mails a member their link again.' }),
    pause: change('pause-joining', { about: 'Pauses joining: visitors are told why.' }),
    reopen: change('reopen-joining', { about: 'Lets everybody join again.' }),
    import: importList,
    imports: request(operatorPaths.imports, {
      about: 'Lists the imports of the last day, or deletes the file of one.',
      shows:
        'id Begun:created_at File:file_name state Importable:report.importable ' +
        'Rows:report.rows',
      commands: {
        delete: request(operatorPaths.listImport, {
          method: 'DELETE',
          says: 'The file is deleted. Members who were imported stay.',
        }),
      },
    }),
  },
  'Friends, credits and rewards': {
    first: request(operatorPaths.firstInLine, {
      about: 'Lists who a freeze would put first, those who are most alike on top.',
      query: FirstRequest,
      shows:
        'place Member:member.email Invited_by:invited_by.email Friends:friends.joined ' +
        'Confirmed:friends.confirmed Counting:friends.counting alike Looked_at_by:looked.by',
    }),
    credits,
    rewards,
  },
  'Masks and the drop': {
    sizes: request(operatorPaths.sizes, {
      about: 'Stock, allocated and available masks per size.',
    }),
    allocations: request(operatorPaths.allocations, {
      about: 'Masks set aside: for whom, when, and whether they are released.',
    }),
    stock: change('set-stock', { about: 'Sets how many masks of a size exist.' }),
    'rename-size': change('rename-size', { about: 'Gives a size another name.' }),
    'remove-size': change('remove-size', { about: 'Removes a size.' }),
    allocate: change('allocate-masks', { about: 'Sets masks aside for somebody.' }),
    release: change('release-masks', { about: 'Returns masks that were set aside.' }),
    drop,
  },
  'Mail and webhooks': {
    'resume-mail': request(operatorPaths.resumeMail, {
      about: 'Sends mail again to an address that unsubscribed, bounced or complained. Ask first.',
      body: ResumeMailRequest,
      says: ({ reason }: ResumedMail, { email }) =>
        `Mail to ${email} is on. Why it was off: ${reason ?? 'it was not'}.`,
    }),
    'test-mail': attempt(operatorPaths.testMail, {
      about: 'Sends a mail to the address, and says what the mail server answers.',
      body: TestMailRequest,
    }),
    mails,
    campaign,
    webhooks,
  },
  'Operators and what they changed': {
    ...access,
    changes: request(operatorPaths.changes, {
      about: 'What operators did, newest first, and what can still be undone.',
      query: AuditPageRequest,
      shows: 'number Time:at By:actor.name What:summary reason Undo_until:undo_until undone_by',
    }),
    undo: request<MadeChange>(operatorPaths.undoChange, {
      about: 'Undoes a change of the last 24 hours, by its number.',
      body: UndoRequest,
      says: ({ summary }) => summary,
      note: adviseUndo,
    }),
    change: {
      about: 'Makes any change of the API by its name, with its fields as options.',
      commands: Object.fromEntries(
        (Object.keys(changeInputs) as ChangeKind[]).map((kind) => [
          kind,
          change(kind, { words: [] }),
        ]),
      ),
    },
  },
  'The database': {
    verify: {
      about:
        'Recomputes every position, point and count, and the audit log; exit code 1 if any ' +
        'differs. With or without a server.',
      options: [fieldOf('audit_head', VerifyRequest), JSON_OUTPUT],
      run: async (call) => (await import('./database.ts')).verify(call),
    },
    backup: {
      about: 'Writes the whole waitlist to one file, with or without a server.',
      words: [{ name: 'file', isOptional: true }],
      options: [KEEP],
      run: async (call) => (await import('./backup.ts')).backUp(call),
    },
    restore: {
      about:
        'Fills an empty data folder or database of DATABASE_URL from a backup. What it ' +
        'fills may be a copy, so nothing leaves it until an owner says that it is the line.',
      words: [{ name: 'file' }],
      options: [THIS_IS_THE_LINE],
      run: async (call) => (await import('./database.ts')).restore(call),
    },
    'this-is-the-line': change('this-is-the-line', { about: 'Says that this is no copy.' }),
    migrate: {
      about:
        'Brings the schema up to date, as the user of DATABASE_URL: for servers that may not do ' +
        'so.',
      run: async (call) => (await import('./database.ts')).migrate(call),
    },
  },
  'This command line': {
    completion: {
      about: 'Prints a script that completes commands, options and sizes. Its first line says how.',
      words: [{ name: 'shell', choices: Object.keys(SCRIPTS) }],
      run: async ({ values }) => console.log(SCRIPTS[String(values.shell)]),
    },
  },
} as const satisfies Readonly<Record<string, Definitions>>;

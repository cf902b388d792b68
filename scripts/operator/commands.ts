/** All commands. Those that need more than the server are loaded when they run. */
import { FIELD_NAMES, memberField } from '../../contract/member-fields.ts';
import type * as access from '../../contract/operator/access.ts';
import {
  type ChangeInput,
  type ChangeKind,
  changeInputs,
} from '../../contract/operator/changes.ts';
import type * as memberList from '../../contract/operator/member-list.ts';
import type { FoundMembers } from '../../contract/operator/members.ts';
import type { Overview, OverviewHealth } from '../../contract/operator/overview.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { VerifyRequest } from '../../contract/operator/verification.ts';
import { readServerAddress } from '../../server/access/server-address.ts';
import { SCRIPTS } from '../command-line/completion.ts';
import { describe, print, say } from '../command-line/output.ts';
import type { Definition, Definitions, Field } from '../command-line/program.ts';
import { callOperator } from './call-operator.ts';
import { ask, attempt, change, ownTimeZone, request } from './calls.ts';
import { campaign } from './campaigns.ts';
import { drop } from './drop.ts';
import { FILTER, fieldOf, findValues, JSON_OUTPUT, readNumber, refuse } from './fields.ts';
import { importList } from './imports.ts';
import { findDemo } from './running-demo.ts';

function must(kind: ChangeKind, name: string): Field {
  return { ...fieldOf(name, changeInputs[kind]), isOptional: false };
}

const MEMBER_COLUMNS = FIELD_NAMES.filter((name) => memberField(name).head !== undefined).join(' ');

const listMembers = request('POST listMembers', { shows: MEMBER_COLUMNS });

const members: Definition = {
  ...listMembers,
  run: async ({ config, values }) => {
    await listMembers.run({ config, values });
    const body = await findValues(FILTER, values, config);
    const path = operatorPaths.countMembers;
    const { count, is_exact } = await callOperator<memberList.MemberCount>(config, path, { body });
    say(values, `${is_exact ? '' : 'More than '}${count.toLocaleString('en')} in all.`);
  },
};

const eraseMember = change('erase-member');

const erase: Definition = {
  ...eraseMember,
  options: [
    { name: 'yes', isFlag: true, about: 'do not ask for confirmation' },
    ...(eraseMember.options ?? []),
  ],
  run: async (call) => {
    const { yes, preview } = call.values;
    const isSure = yes || preview || process.stdin.isTTY;
    if (!isSure) refuse('Without a terminal, add --yes to erase the member.');
    const question = 'Erase this member? This cannot be undone. [y/N] ';
    if (yes || preview || /^\s*y(es)?\s*$/i.test(await ask(question))) await eraseMember.run(call);
    else say({}, 'Nobody was erased.');
  },
};

const overview: Definition = {
  about: 'The main figures of the last 30 days: visits, joins, invites, mail, backup.',
  options: [JSON_OUTPUT],
  run: async ({ config, values }) => {
    const query = { tz: ownTimeZone() };
    const figures = await callOperator<Overview>(config, operatorPaths.overview, { query });
    const health = await callOperator<OverviewHealth>(config, operatorPaths.overviewHealth);
    const main = {
      members_now: figures.members,
      joins_today: figures.buckets.at(-1)?.joins,
      totals: figures.totals,
      invited_share: figures.invited_share,
      k_factor: figures.k_factor,
      minutes_to_the_first_friend: figures.first_friend.quartiles,
    };
    const { notices, ...others } = health;
    const text = [describe(main), describe(others), ...notices].join('\n\n');
    print(values, { overview: figures, health }, text);
  },
};

const waitingMails = request('GET waitingMails');

const mails: Definition = {
  ...waitingMails,
  run: async (call) => {
    const health = await callOperator<OverviewHealth>(call.config, operatorPaths.overviewHealth);
    say(call.values, health.mail.problem);
    await waitingMails.run(call);
  },
  commands: {
    waiting: waitingMails,
    failed: request('GET failedMails'),
    suppressed: request('GET suppressedAddresses'),
    retry: change('retry-mails'),
  },
};

const DECISIONS = {
  approve: ['given', 'Give'],
  hold: ['held', 'Hold'],
  refuse: ['refused', 'Refuse'],
} as const;

/** Every decision about the credits for friends, who are named by a word. */
function decide(end: string, by: keyof ChangeInput<'decide-credits'>, whose: string) {
  return Object.entries(DECISIONS).map(([name, [state, verb]]) => {
    const decision = change('decide-credits', {
      words: [must('decide-credits', by)],
      options: by === 'domain' || by === 'network_of' ? ['code'] : [],
      input: { state, again: true },
    });
    return [name + end, { ...decision, about: `${verb} the credits for ${whose}.` }] as const;
  });
}

const credits: Definition = {
  about: 'Decide about the credits for friends: of one, at a domain, or from a network.',
  commands: {
    ...Object.fromEntries([
      ...decide('', 'member_ids', 'a friend'),
      // Of all friends of a code the API approves alone.
      ...decide('-code', 'code', 'all friends of a code').slice(0, 1),
      ...decide('-domain', 'domain', 'friends whose addresses are at a domain'),
      ...decide('-network', 'network_of', 'those who joined from the network of a friend'),
    ]),
    'look-at': change('look-at-member'),
  },
};

const rewards = request('GET rewards', {
  shows:
    'tier reward kind owed asked answered sent units budget.units cost_cents units_if_reached ' +
    'cost_cents_if_reached',
  commands: {
    list: request('GET rewardsOfTier'),
    export: request('GET exportRewards', { file: 'The rewards are' }),
    ask: change('ask-rewards', { options: [] }),
    'ask-again': {
      ...change('ask-rewards', { options: [], input: { again: true } }),
      about: 'Ask those again, too, who were asked and have not answered.',
    },
    'import-codes': change('import-codes', {
      words: [must('import-codes', 'tier'), 'codes'],
      options: [],
    }),
    'send-codes': change('send-reward-codes', { options: [] }),
    sent: change('mark-rewards-sent', { options: ['states'] }),
    'sent-to': {
      ...change('mark-rewards-sent', {
        words: ['tier', must('mark-rewards-sent', 'member_ids')],
        options: [],
        input: { states: ['owed', 'asked', 'answered'] },
      }),
      about: 'Mark the reward of one member as sent, in whichever state it is.',
    },
    budget: change('set-reward-budget'),
  },
});

function editWebhook(words: readonly string[], input: object = {}): Definition {
  return request('PUT webhook', { words, input });
}

const webhooks = request('GET webhooks', {
  shows: 'id origin events is_on off_reason failing_since failures waiting',
  commands: {
    add: request('POST webhooks', { note: 'The secret is not shown again.' }),
    show: request('GET webhook'),
    edit: editWebhook(['url', 'events']),
    on: editWebhook([], { is_on: true }),
    off: editWebhook([], { is_on: false }),
    rotate: request('POST rotateWebhook', {
      note: 'The secret is not shown again. For 24 hours events are signed with the old one too.',
    }),
    remove: request('POST removeWebhook'),
    test: attempt('POST testWebhook'),
    log: request('GET webhookDeliveries', {
      shows: 'id happened_at kind state attempts status duration_ms cause',
    }),
    replay: attempt('POST replayDelivery'),
  },
});

const ownSignIn = request<access.SignInLink>('POST signInLinks', {
  about:
    'Print a link that signs an operator in to the console, once, within 15 minutes. Without a ' +
    'server of yours, it is for the running demo.',
  shows: 'link',
  note: ({ email }) =>
    email === null
      ? 'Whoever opens this first, within 15 minutes, becomes the owner.'
      : `It signs ${email} in.`,
});

const signIn: Definition = {
  ...ownSignIn,
  run: async ({ config, values }) => {
    const demo = (await readServerAddress(config.dataDir)) === null ? await findDemo() : null;
    if (demo === null) return await ownSignIn.run({ config, values });
    say(values, `No server is running on ${config.dataDir}, so this is for the demo.`);
    const { dataDir, owner } = demo;
    const ofDemo = { ...config, dataDir, operatorToken: null };
    await ownSignIn.run({ config: ofDemo, values: { ...values, email: values.email ?? owner } });
  },
};

const operators = request('GET operators', {
  shows: 'email name role passkeys last_used_at',
  commands: {
    invite: request('POST operators'),
    role: request('PUT operatorRole', {
      note: 'If they are no owner any more, their API keys have stopped working.',
    }),
    'end-sessions': request('DELETE operatorSessions'),
    remove: request('DELETE operator'),
  },
});

const keys = request('GET keys', {
  shows: 'id name hint scopes created_by state ends_at last_used_at',
  commands: {
    add: request('POST keys', { shows: 'key', note: 'The key is not shown again.' }),
    revoke: request('DELETE key'),
  },
});

const database: Definitions = {
  verify: {
    about:
      'Recompute every position, point and count, and the audit log; exit code 1 if any ' +
      'differs. With or without a server.',
    options: [fieldOf('audit_head', VerifyRequest), JSON_OUTPUT],
    run: async (call) => (await import('./database.ts')).verify(call),
  },
  backup: {
    about: 'Write the whole waitlist to one file, with or without a server.',
    words: [{ name: 'file', isOptional: true }],
    options: [
      {
        name: 'keep',
        label: 'number',
        about: 'keep only this many of the backups that were named after their time',
        parse: (text) => readNumber(text, 1, 99_999),
      },
    ],
    run: async (call) => (await import('./backup.ts')).backUp(call),
  },
  restore: {
    about:
      'Fill an empty data folder or database of DATABASE_URL from a backup. What it fills may be ' +
      'a copy, so nothing leaves it until an owner says that it is the line.',
    words: [{ name: 'file' }],
    options: [
      {
        name: 'this_is_the_line',
        isFlag: true,
        about: 'let it act at once, in place of a server that never runs again',
      },
    ],
    run: async (call) => (await import('./database.ts')).restore(call),
  },
  'this-is-the-line': change('this-is-the-line'),
  migrate: {
    about:
      'Bring the schema up to date as the user of DATABASE_URL, where the server may not do so.',
    run: async (call) => (await import('./database.ts')).migrate(call),
  },
};

const anyChange = (Object.keys(changeInputs) as ChangeKind[]).map(
  (kind) => [kind, change(kind, { words: [] })] as const,
);

export const groups = {
  'How it goes': {
    counts: request('GET counts'),
    inviters: request('GET topInviters'),
    overview,
    'pin-source': change('pin-source'),
    'unpin-source': change('unpin-source'),
  },
  'Members and joining': {
    find: request<FoundMembers>('POST findMembers', {
      isTall: true,
      failure: ({ members }) => (members.length > 0 ? null : 'No member matches this.'),
    }),
    show: request('GET member', {
      shows:
        'member.email member.id member.position why brought_by.email member.confirmed_at friends ' +
        'mail notes audit',
    }),
    friends: request('GET friends', { shows: MEMBER_COLUMNS }),
    note: request('POST notes'),
    members,
    export: request('POST exportMembers', { file: 'The line is' }),
    joining: request('GET joining', { says: 'Everybody can join.' }),
    remove: change('remove-members', { words: ['member_ids'] }),
    erase,
    'adjust-points': change('adjust-points', {
      words: [
        'member_id',
        { name: 'direction', choices: ['add', 'take'] },
        { name: 'points', parse: (text) => readNumber(text, 1, 10_000) },
      ],
      options: [],
      read: (_, { direction, points }) => ({
        by: direction === 'add' ? Number(points) : -Number(points),
      }),
    }),
    'correct-address': change('correct-address'),
    'resend-link': change('resend-link'),
    pause: change('pause-joining'),
    reopen: change('reopen-joining'),
    import: importList,
    imports: request('GET imports', {
      shows: 'id created_at file_name state report.importable report.rows',
      commands: {
        delete: request('DELETE listImport'),
      },
    }),
  },
  'Friends, credits and rewards': {
    first: request('GET firstInLine', {
      shows:
        'place member.email invited_by.email friends.joined friends.confirmed friends.counting ' +
        'alike looked.by',
    }),
    credits,
    rewards,
  },
  'Masks and the drop': {
    sizes: request('GET sizes'),
    allocations: request('GET allocations'),
    stock: change('set-stock'),
    'rename-size': change('rename-size'),
    'remove-size': change('remove-size'),
    allocate: change('allocate-masks'),
    release: change('release-masks'),
    drop,
  },
  'Mail and webhooks': {
    'resume-mail': request('POST resumeMail', {
      says: 'It was not off.',
      note: 'Mail to this address is on.',
    }),
    'test-mail': attempt('POST testMail'),
    mails,
    campaign,
    webhooks,
  },
  'Operators and what they changed': {
    'sign-in': signIn,
    operators,
    keys,
    changes: request('GET changes', {
      shows: 'number at actor.name summary reason undo_until undone_by',
    }),
    undo: request('POST undoChange', { shows: 'summary' }),
    change: {
      about: 'Make any change of the API by its name, with its fields as options.',
      commands: Object.fromEntries(anyChange),
    },
  },
  'The database': database,
  'This command line': {
    completion: {
      about: 'Print a script that completes commands, options and sizes. Its first line says how.',
      words: [{ name: 'shell', choices: Object.keys(SCRIPTS) }],
      run: async ({ values }) => console.log(SCRIPTS[String(values.shell)]),
    },
  },
} as const satisfies Readonly<Record<string, Definitions>>;

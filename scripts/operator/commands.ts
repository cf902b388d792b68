/** All commands. Those that need more than the server are loaded when they run. */
import type { DropView } from '../../contract/drop/drop-views.ts';
import { timeOfRound } from '../../contract/drop/randomness-rules.ts';
import { FIELD_NAMES, memberField } from '../../contract/member-fields.ts';
import type { SignInLink } from '../../contract/operator/access.ts';
import { type ChangeKind, changeInputs } from '../../contract/operator/changes.ts';
import {
  ORDER_KINDS,
  type OrderKind,
  type OrderReport,
} from '../../contract/operator/drop/orders.ts';
import type { Schedule } from '../../contract/operator/drop/schedule.ts';
import { type TestMail, TestMailRequest } from '../../contract/operator/mails.ts';
import type { FoundMembers } from '../../contract/operator/members.ts';
import { VerifyRequest } from '../../contract/operator/verification.ts';
import type { WebhookDelivery } from '../../contract/operator/webhooks/webhooks.ts';
import { apiPaths } from '../../contract/paths.ts';
import { readServerAddress } from '../../server/access/server-address.ts';
import { readScript } from '../command-line/completion.ts';
import { describe, oneLine, print, say } from '../command-line/output.ts';
import { type Call, refuse } from '../command-line/program.ts';
import { callOperator } from './call-operator.ts';
import { ask, define, type Row, type Run } from './calls.ts';
import { FILTER, fieldOf, findValues, ownTimeZone } from './fields.ts';
import { findDemo } from './running-demo.ts';
import { DRAFT, DRAFT_FIELDS, IMPORT, UPLOAD, withUpload } from './uploads.ts';

const MEMBER_COLUMNS = FIELD_NAMES.filter((name) => memberField(name).head !== undefined).join(' ');

const NEW_SECRET = 'The secret is not shown again.';

type Attempt = Partial<TestMail & WebhookDelivery>;

/** A mail or an event that is sent once: what came of it. */
const ATTEMPT = {
  shows: 'outcome file status duration_ms answer',
  failure: explainFailure,
  note: ({ outcome }: Attempt) =>
    outcome === 'kept' ? 'SMTP_URL is not set, so nothing was sent. The file stays an hour.' : null,
};

const DECISIONS = {
  approve: ['given', 'Give'],
  hold: ['held', 'Hold'],
  refuse: ['refused', 'Refuse'],
} as const;

const TABLE: Readonly<Record<string, Readonly<Record<string, NonNullable<Row['does']> | Row>>>> = {
  'How it goes': {
    counts: 'GET counts',
    inviters: 'GET topInviters',
    overview: {
      about: 'The main figures of the last 30 days: visits, joins, invites, mail, backup.',
      takes: ['json'],
      run: printOverview,
    },
    'pin-source': 'pin-source',
    'unpin-source': 'unpin-source',
  },
  'Members and joining': {
    find: {
      does: 'POST findMembers',
      text: ({ members }: FoundMembers) => members.map((one) => describe(one)).join('\n\n'),
      failure: ({ members }: FoundMembers) =>
        members.length > 0 ? null : 'No member matches this.',
    },
    show: {
      does: 'GET member',
      shows:
        'member.email member.id member.position why brought_by.email member.confirmed_at friends ' +
        'mail notes audit',
    },
    friends: { does: 'GET friends', shows: MEMBER_COLUMNS },
    note: 'POST notes',
    members: { does: 'POST listMembers', shows: MEMBER_COLUMNS, around: countMembers },
    export: { does: 'POST exportMembers', file: 'The line is' },
    joining: { does: 'GET joining', says: 'Everybody can join.' },
    'remove [member_ids]': 'remove-members',
    erase: { does: 'erase-member', takes: ['yes'], around: confirmErasure },
    'adjust-points <member_id> <direction> <points>': {
      does: 'adjust-points',
      gives: ['by'],
      fill: ({ direction, points }) => ({
        by: direction === 'add' ? Number(points) : -Number(points),
      }),
    },
    'correct-address': 'correct-address',
    'resend-link': 'resend-link',
    pause: 'pause-joining',
    reopen: 'reopen-joining',
    'import <path>': IMPORT,
    imports: {
      does: 'GET imports',
      shows: 'id created_at file_name state report.importable report.rows',
    },
    'imports delete': 'DELETE listImport',
  },
  'Friends, credits and rewards': {
    first: {
      does: 'GET firstInLine',
      shows:
        'place member.email invited_by.email friends.joined friends.confirmed friends.counting ' +
        'alike looked.by',
    },
    credits: {
      about: 'Decide about the credits for friends: of one, at a domain, or from a network.',
    },
    ...decisions(' <member_ids>', 'a friend'),
    'credits approve-code <code>': {
      does: 'decide-credits',
      about: 'Give the credits for all friends of a code.',
      input: { state: 'given', again: true },
    },
    ...decisions('-domain <domain>', 'friends whose addresses are at a domain'),
    ...decisions('-network <network_of>', 'those who joined from the network of a friend'),
    'credits look-at': 'look-at-member',
    rewards: {
      does: 'GET rewards',
      shows:
        'tier reward kind owed asked answered sent units budget.units cost_cents ' +
        'units_if_reached cost_cents_if_reached',
    },
    'rewards list': 'GET rewardsOfTier',
    'rewards export': { does: 'GET exportRewards', file: 'The rewards are' },
    'rewards ask': 'ask-rewards',
    'rewards ask-again': {
      does: 'ask-rewards',
      about: 'Ask those again, too, who were asked and have not answered.',
      input: { again: true },
    },
    'rewards import-codes <tier> <codes>': 'import-codes',
    'rewards send-codes': 'send-reward-codes',
    'rewards sent': 'mark-rewards-sent',
    'rewards sent-to <tier> <member_ids>': {
      does: 'mark-rewards-sent',
      about: 'Mark the reward of one member as sent, in whichever state it is.',
      input: { states: ['owed', 'asked', 'answered'] },
    },
    'rewards budget': 'set-reward-budget',
  },
  'Masks and the drop': {
    sizes: 'GET sizes',
    allocations: 'GET allocations',
    stock: 'set-stock',
    'rename-size': 'rename-size',
    'remove-size': 'remove-size',
    allocate: 'allocate-masks',
    release: 'release-masks',
    drop: { does: 'GET drop', path: apiPaths.drop, text: describeDrop },
    'drop show': { does: 'GET drop', path: apiPaths.drop, text: describeDrop },
    'drop freeze': 'freeze-drop',
    'drop unfreeze': 'unfreeze-drop',
    'drop announce [by_rank] [drawn_among]': {
      does: 'announce-draw',
      fill: ({ draw_at, source = draw_at ? 'quicknet' : 'none' }) => ({ source }),
    },
    'drop amend': 'amend-draw',
    'drop select': 'select-entrants',
    'drop offers': 'GET offers',
    'drop offer': 'start-offers',
    'drop pause': 'pause-offers',
    'drop resume': 'resume-offers',
    'drop extend <minutes> [offer_id]': 'extend-offers',
    'drop offer-mask': 'offer-mask',
    'drop import-codes <codes>': 'import-codes',
    'drop make-codes': 'make-codes',
    'drop cancel-pass': 'cancel-pass',
    'drop swap-passes': 'swap-passes',
    'drop ask-addresses': 'ask-addresses',
    'drop sent <parcels> <carrier>': 'mark-masks-sent',
    'drop tell-others': 'tell-others',
    'drop reissue-pass': 'reissue-pass',
    'drop set-till <settings>': {
      does: 'set-till',
      gives: Object.keys(changeInputs['set-till'].properties),
      fill: ({ settings }) => Object(settings),
    },
    'drop till': 'GET till',
    'drop money': 'GET money',
    'drop settle-payment': 'settle-payment',
    'drop test-till': 'POST testTill',
    'drop export': { does: 'GET exportDrop', file: 'The file is' },
    'drop orders <path>': {
      ...UPLOAD,
      does: 'GET importOrders',
      takes: ['output'],
      around: saveFindings,
      text: describeOrders,
    },
    'drop reconcile <path>': { ...UPLOAD, does: 'reconcile' },
    'drop schedule': {
      does: 'GET schedule',
      shows: 'step at time_zone state failure scheduled_by',
      note: ({ is_public }: Schedule) =>
        is_public ? 'The site shows it.' : 'The site does not show it.',
    },
    'drop unschedule <step_name>': {
      does: 'unschedule-step',
      gives: ['step'],
      fill: ({ step_name }) => ({ step: step_name }),
    },
    'drop publish-schedule': { does: 'publish-schedule', input: { is_public: true } },
    'drop hide-schedule': { does: 'publish-schedule', input: { is_public: false } },
    'drop close': 'close-drop',
    'drop open': 'open-drop',
  },
  'Mail and webhooks': {
    'resume-mail': {
      does: 'POST resumeMail',
      says: 'It was not off.',
      note: 'Mail to this address is on.',
    },
    'test-mail': { ...ATTEMPT, does: 'POST testMail' },
    mails: { does: 'GET waitingMails', around: warnOfMail },
    'mails waiting': 'GET waitingMails',
    'mails failed': 'GET failedMails',
    'mails suppressed': 'GET suppressedAddresses',
    'mails retry': 'retry-mails',
    campaign: { about: 'A mail in Markdown to confirmed members, or to those whom options name.' },
    'campaign send <path>': { ...DRAFT, does: 'send-campaign' },
    'campaign preview <path>': { ...DRAFT, does: 'GET campaignPreview' },
    'campaign test <path>': {
      ...DRAFT,
      ...ATTEMPT,
      does: 'POST testCampaign',
      takes: [...DRAFT_FIELDS, { ...fieldOf('email', TestMailRequest), option: 'to' }],
    },
    'campaign list': {
      does: 'GET campaigns',
      shows: 'campaign state counts.sent counts.recipients started_at title',
    },
    'campaign show': {
      does: 'GET campaign',
      shows: 'subject state is_counted filter started_at ended_at counts',
    },
    'campaign cancel': 'cancel-campaign',
    webhooks: {
      does: 'GET webhooks',
      shows: 'id origin events is_on off_reason failing_since failures waiting',
    },
    'webhooks add': { does: 'POST webhooks', note: NEW_SECRET },
    'webhooks show': 'GET webhook',
    'webhooks edit <endpointId> <url> <events>': { does: 'PUT webhook', keeps: true },
    'webhooks on <endpointId>': { does: 'PUT webhook', keeps: true, input: { is_on: true } },
    'webhooks off <endpointId>': { does: 'PUT webhook', keeps: true, input: { is_on: false } },
    'webhooks rotate': {
      does: 'POST rotateWebhook',
      note: `${NEW_SECRET} For 24 hours events are signed with the old one too.`,
    },
    'webhooks remove': 'POST removeWebhook',
    'webhooks test': { ...ATTEMPT, does: 'POST testWebhook' },
    'webhooks log': {
      does: 'GET webhookDeliveries',
      shows: 'id happened_at kind state attempts status duration_ms cause',
    },
    'webhooks replay': { ...ATTEMPT, does: 'POST replayDelivery' },
  },
  'Operators and what they changed': {
    'sign-in [email]': {
      does: 'POST signInLinks',
      about:
        'Print a link that signs an operator in to the console, once, within 15 minutes. Without ' +
        'a server of yours, it is for the running demo.',
      shows: 'link',
      note: ({ email }: SignInLink) =>
        email === null
          ? 'Whoever opens this first, within 15 minutes, becomes the owner.'
          : `It signs ${email} in.`,
      around: signInToDemo,
    },
    operators: { does: 'GET operators', shows: 'email name role passkeys last_used_at' },
    'operators invite': 'POST operators',
    'operators role': {
      does: 'PUT operatorRole',
      note: 'If they are no owner any more, their API keys have stopped working.',
    },
    'operators end-sessions': 'DELETE operatorSessions',
    'operators remove': 'DELETE operator',
    keys: {
      does: 'GET keys',
      shows: 'id name hint scopes created_by state ends_at last_used_at',
    },
    'keys add <name> <scopes> [ends_at]': {
      does: 'POST keys',
      shows: 'key',
      note: 'The key is not shown again.',
    },
    'keys revoke': 'DELETE key',
    changes: {
      does: 'GET changes',
      shows: 'number at actor.name summary reason undo_until undone_by',
    },
    undo: { does: 'POST undoChange', shows: 'summary' },
    change: { about: 'Make any change of the API by its name, with its fields as options.' },
    ...Object.fromEntries(
      Object.keys(changeInputs).map((kind) => [
        `change ${kind}`,
        { does: kind as ChangeKind, hasNoWords: true },
      ]),
    ),
  },
  'The database': {
    verify: {
      about:
        'Recompute every position, point and count, and the audit log; exit code 1 if any ' +
        'differs. With or without a server.',
      takes: [fieldOf('audit_head', VerifyRequest), 'json'],
      run: async (call) => (await import('./database.ts')).verify(call),
    },
    'backup [path]': {
      about: 'Write the whole waitlist to one file, with or without a server.',
      takes: ['keep'],
      run: async (call) => (await import('./database.ts')).backUp(call),
    },
    'restore <path>': {
      about:
        'Fill an empty data folder or database of DATABASE_URL from a backup. What it fills may ' +
        'be a copy, so nothing leaves it until an owner says that it is the line.',
      takes: ['this_is_the_line'],
      run: async (call) => (await import('./database.ts')).restore(call),
    },
    'this-is-the-line': 'this-is-the-line',
    migrate: {
      about:
        'Bring the schema up to date as the user of DATABASE_URL, where the server may not do so.',
      run: async (call) => (await import('./database.ts')).migrate(call),
    },
  },
  'This command line': {
    'completion <shell>': {
      about: 'Print a script that completes commands, options and sizes. Its first line says how.',
      run: async ({ values }) => console.log(readScript(String(values.shell))),
    },
  },
};

export const commands = Object.entries(TABLE).flatMap(([group, rows]) =>
  Object.entries(rows).map(([usage, row]) => {
    return { group, ...define(usage, typeof row === 'object' ? row : { does: row }) };
  }),
);

/** The ways to decide about the credits for friends, whom a word names. */
function decisions(words: string, whose: string): Readonly<Record<string, Row>> {
  return Object.fromEntries(
    Object.entries(DECISIONS).map(([name, [state, verb]]) => [
      `credits ${name}${words}`,
      {
        does: 'decide-credits',
        about: `${verb} the credits for ${whose}.`,
        input: { state, again: true },
      },
    ]),
  );
}

async function printOverview({ config, values }: Call): Promise<void> {
  const figures = await callOperator(config, 'GET overview', { query: { tz: ownTimeZone() } });
  const health = await callOperator(config, 'GET overviewHealth');
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
}

async function countMembers(call: Call, list: Run): Promise<void> {
  await list(call);
  const body = await findValues(FILTER, call.values, call.config);
  const { count, is_exact } = await callOperator(call.config, 'POST countMembers', { body });
  say(call.values, `${is_exact ? '' : 'More than '}${count.toLocaleString('en')} in all.`);
}

async function confirmErasure(call: Call, erase: Run): Promise<void> {
  const isSure = call.values.yes || call.values.preview;
  if (!isSure && !process.stdin.isTTY) refuse('Without a terminal, add --yes to erase the member.');
  const question = 'Erase this member? This cannot be undone. [y/N] ';
  if (isSure || /^\s*y(es)?\s*$/i.test(await ask(question))) await erase(call);
  else say({}, 'Nobody was erased.');
}

async function warnOfMail(call: Call, list: Run): Promise<void> {
  const { mail } = await callOperator(call.config, 'GET overviewHealth');
  say(call.values, mail.problem);
  await list(call);
}

async function signInToDemo({ config, values }: Call, signIn: Run): Promise<void> {
  const demo = (await readServerAddress(config.dataDir)) === null ? await findDemo() : null;
  if (demo === null) return await signIn({ config, values });
  say(values, `No server is running on ${config.dataDir}, so this is for the demo.`);
  const { dataDir, owner } = demo;
  const ofDemo = { ...config, dataDir, operatorToken: null };
  await signIn({ config: ofDemo, values: { ...values, email: values.email ?? owner } });
}

function describeDrop({ number, announcement, ...view }: DropView): string {
  const { source, round }: { source?: string; round?: number } = announcement?.randomness ?? {};
  return describe({
    drop: number,
    state: view.state,
    frozen_at: view.frozen_at,
    list_hash: view.list_hash,
    announced_at: announcement?.announced_at,
    announcement_hash: view.announcement_hash,
    draw: source,
    round,
    round_at: round && new Date(timeOfRound(round)).toISOString(),
    selected_at: view.selected_at,
    closed_at: view.closed_at,
  });
}

const findings = define('', { does: 'GET exportOrders', file: 'What was found is' });

async function saveFindings(call: Call, compare: Run): Promise<void> {
  await withUpload(call, async (uploaded) => {
    await compare(uploaded);
    if (call.values.output !== undefined) await findings.run?.(uploaded);
  });
}

function describeOrders({ counts, findings }: OrderReport): string {
  const found = Object.entries(counts).map(([kind, count]) => {
    return { kind, found: count, what: ORDER_KINDS[kind as OrderKind] };
  });
  return describe({ found, need_a_look: findings.map(({ needs_look: _, ...one }) => one) });
}

export function explainFailure(attempt: Attempt): string | null {
  const { outcome, state = outcome, cause, error_code, answer, advice } = attempt;
  if (state === 'sent' || state === 'kept' || state === 'delivered') return null;
  const words = oneLine(answer ?? error_code ?? '');
  const sentence = `Not delivered: ${cause ?? ''}${words && ` (${words})`}.`;
  return [sentence, advice].filter(Boolean).join(' ');
}

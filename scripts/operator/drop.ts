import { text } from 'node:stream/consumers';
import type { DropView } from '../../contract/drop/drop-views.ts';
import { timeOfRound } from '../../contract/drop/randomness-rules.ts';
import type { ScheduledStep } from '../../contract/drop/step-words.ts';
import type { ChangeInput } from '../../contract/operator/changes.ts';
import {
  ORDER_KINDS,
  OrderExportRequest,
  type OrderFinding,
  type OrderReport,
} from '../../contract/operator/drop/orders.ts';
import type { Schedule } from '../../contract/operator/drop/schedule.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths } from '../../contract/paths.ts';
import type { Call, Command } from '../command-line/command.ts';
import { type Columns, renderTable } from '../command-line/output.ts';
import { readNumber, UsageError } from '../command-line/values.ts';
import { readGivenFile } from '../command-line/working-folder.ts';
import { exporting, type Runnable, request } from './api-commands.ts';
import { change, ownTimeZone, readTime } from './changes.ts';
import { deleteImport, upload } from './imports.ts';

const STEPS: Readonly<Record<string, ScheduledStep>> = {
  freeze: 'freeze-drop',
  announce: 'announce-draw',
  select: 'select-entrants',
  offer: 'start-offers',
  close: 'close-drop',
};

const STEP_COLUMNS: Columns<Schedule['steps'][number]> = [
  'step',
  'at',
  'time_zone',
  ['State', ({ state, failure }) => (failure === null ? state : `${state}: ${failure}`)],
  ['By', 'scheduled_by'],
];

const FINDING_COLUMNS: Columns<OrderFinding> = [
  'line',
  'kind',
  'order',
  'code',
  ['Address', 'email'],
  'why',
];

const show = request<DropView>(apiPaths.drop, {
  columns: [
    ['Drop', 'number'],
    'state',
    'frozen_at',
    ['List', 'list_hash'],
    ['Announced', ({ announcement }) => announcement?.announced_at],
    ['Announcement', 'announcement_hash'],
    ['Draw', describeRandomness],
    'selected_at',
    'closed_at',
  ],
});

const comparison = request<OrderReport>(operatorPaths.importOrders, {
  query: OrderExportRequest,
  describe: describeReport,
  note: ({ next }) =>
    next === null ? null : 'There are more that need a look: --output <file> writes all of them.',
});
const findings = exporting(operatorPaths.exportOrders, ['drop', 'item'], () => 'What was found is');

export const dropCommand: Command = {
  ...show,
  about:
    'Shows the drop of launch day, or takes its next step: freeze the first members, announce ' +
    'the draw, select, offer, close; with --when, at a time. Or pauses and extends offers, ' +
    'imports codes of the shop, changes passes, publishes the times, writes files for the shop, ' +
    'and compares its orders.',
  commands: {
    show,
    freeze: change('freeze-drop', {
      options: ['pause', 'holders-enter', 'losses-count', 'domains', 'cards', 'no-prepaid'],
      read: readFreeze,
    }),
    unfreeze: change('unfreeze-drop'),
    announce: change('announce-draw', {
      fields: ['by_rank', 'drawn_among'],
      options: ['at', 'masks', 'seed'],
      read: readDraw,
    }),
    amend: change('amend-draw'),
    select: change('select-entrants', { options: ['signature'] }),
    offers: request(operatorPaths.offers),
    offer: change('start-offers', {
      fields: ['minutes'],
      options: ['quiet', 'pay'],
      read: readOffers,
    }),
    pause: change('pause-offers'),
    resume: change('resume-offers'),
    extend: change('extend-offers', { fields: ['minutes', 'offer_id'] }),
    'offer-mask': change('offer-mask'),
    'import-codes': change('import-codes', { options: ['size'] }),
    'make-codes': change('make-codes', { options: ['size'] }),
    'cancel-pass': change('cancel-pass'),
    'swap-passes': change('swap-passes', { options: ['size'] }),
    'ask-addresses': change('ask-addresses', { options: ['drop'] }),
    sent: change('mark-masks-sent', { fields: ['parcels', 'carrier'] }),
    'tell-others': change('tell-others'),
    'reissue-pass': change('reissue-pass'),
    'set-till': change('set-till', { usage: '<file>', read: readTill }),
    till: request(operatorPaths.till),
    money: request(operatorPaths.money),
    'settle-payment': change('settle-payment'),
    'test-till': request(operatorPaths.testTill, { method: 'POST' }),
    export: exporting(operatorPaths.exportDrop, ['drop'], () => 'The file is'),
    orders: withOrders({
      options: ['drop', 'item', 'output', 'json'],
      run: async (call) => {
        await comparison.run(call);
        if (call.options.output !== undefined) await findings.run(call);
      },
    }),
    reconcile: withOrders(
      change('reconcile', { options: ['drop', 'free-cancelled'], fields: ['import_id'] }),
    ),
    schedule: request(operatorPaths.schedule, { describe: describeSchedule }),
    unschedule: change('unschedule-step', {
      usage: Object.keys(STEPS).join('|'),
      read: ({ words: [step = ''] }) => ({ step: STEPS[step] }),
    }),
    'publish-schedule': change('publish-schedule', { input: { is_public: true }, fields: [] }),
    'hide-schedule': change('publish-schedule', { input: { is_public: false }, fields: [] }),
    close: change('close-drop'),
    open: change('open-drop'),
  },
};

function describeRandomness({ announcement }: DropView): string | null {
  const { source, ...randomness } = announcement?.randomness ?? { source: 'none' };
  if (source === 'none') return null;
  if (!('round' in randomness)) return 'by a seed';
  const { round } = randomness;
  return `by round ${round} of quicknet, at ${new Date(timeOfRound(round)).toISOString()}`;
}

function readDraw({ options: { at, masks, seed } }: Call) {
  if (at !== undefined && seed)
    throw new UsageError('The draw is by a round at a time (--at) or by a seed, not by both.');
  const source = at === undefined ? 'none' : 'quicknet';
  return {
    source: seed ? 'seed' : source,
    draw_at: at && readTime(at, 'at'),
    masks: masks?.split(',').map(readMasks),
  } as const;
}

/** `-` is the standard input: keys are no arguments, which other programs see. */
async function readTill({ words: [path = ''] }: Call) {
  const input = await (path === '-' ? text(process.stdin) : readGivenFile(path));
  try {
    return JSON.parse(input) as ChangeInput<'set-till'>;
  } catch {
    throw new UsageError(`${path} is not JSON. The documents have an example.`);
  }
}

function readMasks(pair: string): { size: string; masks: number } {
  const [size = '', masks = ''] = pair.split(/=(?=\d+$)/);
  return { size, masks: readNumber(masks) };
}

function readFreeze({ options: { pause, domains, cards, 'no-prepaid': refuses } }: Call) {
  if (cards === undefined && refuses !== undefined)
    throw new UsageError('--no-prepaid needs --cards.');
  const entered = cards && { hours: readNumber(cards, 1), refuses_prepaid: refuses !== undefined };
  return {
    pause_message: pause,
    domains: domains?.split(','),
    ...(entered && { cards: entered }),
  };
}

function readOffers({ options }: Call) {
  const [, from, until] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(options.quiet ?? '') ?? [];
  if (options.quiet !== undefined && until === undefined)
    throw new UsageError('--quiet needs two times, such as 22:00-08:00.');
  return {
    pay_hours: options.pay === undefined ? undefined : readNumber(options.pay, 1),
    time_zone: options['time-zone'] ?? ownTimeZone(),
    quiet_from: from,
    quiet_until: until,
  };
}

function describeSchedule({ steps, is_public }: Schedule): string {
  if (steps.length === 0) return 'Nothing is scheduled.';
  const publicity = is_public ? 'The site shows it.' : 'The site does not show it.';
  return `${renderTable(STEP_COLUMNS, steps)}\n${publicity}`;
}

function withOrders(command: Runnable): Command {
  return {
    ...command,
    usage: '<file>',
    run: async (call) => {
      const { id } = await upload(call);
      try {
        await command.run({ ...call, words: [id] });
      } finally {
        await deleteImport(call.config, id);
      }
    },
  };
}

function describeReport({ counts, findings }: OrderReport): string {
  const kinds = Object.entries(ORDER_KINDS).flatMap(([kind, about]) =>
    counts[kind] === undefined ? [] : [{ kind, found: counts[kind], about }],
  );
  const summary = renderTable(['kind', 'found', ['What', 'about']], kinds);
  if (findings.length === 0) return `${summary}\n\nNothing needs a look.`;
  return `${summary}\n\n${renderTable(FINDING_COLUMNS, findings)}`;
}

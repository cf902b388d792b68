import { text } from 'node:stream/consumers';
import type { DropView } from '../../contract/drop/drop-views.ts';
import { timeOfRound } from '../../contract/drop/randomness-rules.ts';
import type { ScheduledStep } from '../../contract/drop/step-words.ts';
import type { ChangeInput } from '../../contract/operator/changes.ts';
import type { OfferFigures } from '../../contract/operator/drop/offers.ts';
import {
  ORDER_KINDS,
  type OrderFinding,
  type OrderReport,
} from '../../contract/operator/drop/orders.ts';
import type { Schedule } from '../../contract/operator/drop/schedule.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { Call, Command } from '../command-line/command.ts';
import { type Columns, print, renderPairs, renderTable, say } from '../command-line/output.ts';
import { readNumber, UsageError } from '../command-line/values.ts';
import { readGivenFile } from '../command-line/working-folder.ts';
import { exporting, request } from './api-commands.ts';
import { callOperator } from './call-operator.ts';
import { change, ownTimeZone, readTime } from './changes.ts';
import { changeCodeFile } from './code-file.ts';
import { saveExport } from './export.ts';
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

const reconcile = change('reconcile', {
  usage: '<file>',
  options: ['drop', 'free-cancelled'],
  read: ({ words: [import_id] }) => ({ import_id }),
});

const toText = (view: object) => JSON.stringify(view, null, 2);

const show = request(apiPaths.drop, { describe: describeDrop });

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
      options: ['pause', 'holders-enter', 'losses-count'],
      read: ({ options: { pause } }) => ({ pause_message: pause }),
    }),
    unfreeze: change('unfreeze-drop'),
    announce: change('announce-draw', {
      fields: ['by_rank', 'drawn_among'],
      options: ['at', 'masks', 'seed'],
      read: readDraw,
    }),
    amend: change('amend-draw'),
    select: change('select-entrants', { options: ['signature'] }),
    offers: request(operatorPaths.offers, {
      describe: (figures: OfferFigures) => renderPairs(Object.entries(figures)),
    }),
    offer: change('start-offers', {
      usage: '<hours>',
      options: ['quiet', 'pay'],
      read: readOffers,
    }),
    pause: change('pause-offers'),
    resume: change('resume-offers'),
    extend: change('extend-offers', {
      usage: '<hours> [<offer id>]',
      read: ({ words: [hours = '', offer_id] }) => ({ minutes: readHours(hours), offer_id }),
    }),
    'offer-mask': change('offer-mask'),
    'import-codes': withCodeFile('import-codes'),
    'make-codes': change('make-codes', { options: ['size'] }),
    'cancel-pass': change('cancel-pass'),
    'swap-passes': withCodeFile('swap-passes'),
    'ask-addresses': change('ask-addresses', { options: ['drop'] }),
    sent: {
      usage: '<file> <carrier>',
      options: ['reason', 'preview', 'json'],
      run: (call) =>
        changeCodeFile('mark-masks-sent', call, call.words[0], { carrier: call.words[1] }),
    },
    'tell-others': change('tell-others'),
    'reissue-pass': change('reissue-pass'),
    'set-till': change('set-till', { usage: '<file>', read: readTill }),
    till: request(operatorPaths.till, { describe: toText }),
    money: request(operatorPaths.money, { describe: toText }),
    'settle-payment': change('settle-payment'),
    'test-till': request(operatorPaths.testTill, { method: 'POST', describe: toText }),
    export: exporting(operatorPaths.exportDrop, ['drop'], () => 'The file is'),
    orders: {
      usage: '<file>',
      options: ['drop', 'item', 'output', 'json'],
      run: (call) => withOrders(call, compareOrders),
    },
    reconcile: { ...reconcile, run: (call) => withOrders(call, reconcile.run) },
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

function withCodeFile(kind: 'import-codes' | 'swap-passes'): Command {
  return {
    usage: '<file>',
    options: ['size', 'reason', 'preview', 'json'],
    run: (call) => changeCodeFile(kind, call, call.words[0], { size: call.options.size }),
  };
}

function describeDrop(drop: DropView): string {
  const pairs = Object.entries({
    Drop: drop.number,
    State: drop.state,
    Frozen: drop.frozen_at,
    List: drop.list_hash,
    Announced: drop.announcement?.announced_at,
    Announcement: drop.announcement_hash,
    Draw: describeRandomness(drop),
    Selected: drop.selected_at,
    Closed: drop.closed_at,
  });
  return renderPairs(pairs.filter(([, value]) => value != null));
}

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

/** Returns minutes. */
function readHours(hours: string): number {
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(hours)) throw new UsageError(`${hours} is not a number.`);
  return Math.round(Number(hours) * 60);
}

function readOffers({ words: [hours = ''], options }: Call) {
  const [, from, until] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(options.quiet ?? '') ?? [];
  if (options.quiet !== undefined && until === undefined)
    throw new UsageError('--quiet needs two times, such as 22:00-08:00.');
  return {
    minutes: readHours(hours),
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

async function withOrders(call: Call, work: (call: Call) => Promise<void>): Promise<void> {
  const { id } = await upload(call);
  try {
    await work({ ...call, words: [id] });
  } finally {
    await deleteImport(call.config, id);
  }
}

async function compareOrders({ config, words: [id = ''], options }: Call): Promise<void> {
  const { drop, item, output } = options;
  const query = { drop, item };
  const report = await callOperator<OrderReport>(config, fillPath(operatorPaths.importOrders, id), {
    query,
  });
  print(options, report, describeReport(report));
  if (report.next !== null)
    say(options, 'There are more that need a look: --output <file> writes all of them.');
  if (output === undefined) return;
  const request = { path: fillPath(operatorPaths.exportOrders, id), query };
  await saveExport(config, request, 'What was found is', options);
}

function describeReport({ counts, findings }: OrderReport): string {
  const kinds = Object.entries(ORDER_KINDS).flatMap(([kind, about]) =>
    counts[kind] === undefined ? [] : [{ kind, found: counts[kind], about }],
  );
  const summary = renderTable(['kind', 'found', ['What', 'about']], kinds);
  if (findings.length === 0) return `${summary}\n\nNothing needs a look.`;
  return `${summary}\n\n${renderTable(FINDING_COLUMNS, findings)}`;
}

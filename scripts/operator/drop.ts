/** The drop: what its changes take beyond their fields, and the orders of the shop. */
import type { DropView } from '../../contract/drop/drop-views.ts';
import { timeOfRound } from '../../contract/drop/randomness-rules.ts';
import type { ScheduledStep } from '../../contract/drop/step-words.ts';
import { DropFileRequest } from '../../contract/operator/drop/drop-files.ts';
import {
  ORDER_KINDS,
  OrderExportRequest,
  type OrderReport,
} from '../../contract/operator/drop/orders.ts';
import type { Schedule } from '../../contract/operator/drop/schedule.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths } from '../../contract/paths.ts';
import { describe, describeRows } from '../command-line/output.ts';
import type { Definition } from '../command-line/program.ts';
import { readGivenFile } from '../command-line/working-folder.ts';
import { request } from './calls.ts';
import { change, ownTimeZone } from './changes.ts';
import { OUTPUT, readJson } from './fields.ts';
import { withUpload } from './imports.ts';

const STEPS: Readonly<Record<string, ScheduledStep>> = {
  freeze: 'freeze-drop',
  announce: 'announce-draw',
  select: 'select-entrants',
  offer: 'start-offers',
  close: 'close-drop',
};

const VIEW =
  'Drop:number state frozen_at List:list_hash Announced:announcement.announced_at ' +
  'Announcement:announcement_hash Draw:announcement.randomness.source ' +
  'Round:announcement.randomness.round round_at selected_at closed_at';

const show = request<DropView>(apiPaths.drop, {
  says: (view) => {
    const { round } = { round: undefined, ...view.announcement?.randomness };
    const round_at = round === undefined ? null : new Date(timeOfRound(round)).toISOString();
    return describe({ ...view, round_at }, VIEW);
  },
});

const comparison = request<OrderReport>(operatorPaths.importOrders, {
  query: OrderExportRequest,
  says: ({ counts, findings }) => {
    const kinds = Object.entries(ORDER_KINDS).flatMap(([kind, what]) =>
      counts[kind] === undefined ? [] : [{ kind, found: counts[kind], what }],
    );
    const columns = 'line kind order code Address:email why';
    const rest = findings.length > 0 ? describeRows(findings, columns) : 'Nothing needs a look.';
    return `${describeRows(kinds, 'kind found what')}\n\n${rest}`;
  },
  note: ({ next }) =>
    next === null ? null : 'There are more that need a look: --output <file> writes all of them.',
});
const findings = request(operatorPaths.exportOrders, {
  query: OrderExportRequest,
  file: 'What was found is',
});

export const drop: Definition = {
  ...show,
  about:
    'Shows the drop of launch day, or takes a step of it: freeze, announce, select, offer, ...',
  commands: {
    show,
    freeze: change('freeze-drop'),
    unfreeze: change('unfreeze-drop'),
    announce: change('announce-draw', {
      words: ['by_rank', 'drawn_among'],
      read: ({ draw_at, source = draw_at ? 'quicknet' : 'none' }) => ({ source }),
    }),
    amend: change('amend-draw'),
    select: change('select-entrants'),
    offers: request(operatorPaths.offers),
    offer: change('start-offers', {
      words: ['minutes'],
      read: ({ time_zone = ownTimeZone() }) => ({ time_zone }),
    }),
    pause: change('pause-offers'),
    resume: change('resume-offers'),
    extend: change('extend-offers', { words: ['minutes', 'offer_id'] }),
    'offer-mask': change('offer-mask'),
    'import-codes': change('import-codes', { options: ['size'] }),
    'make-codes': change('make-codes'),
    'cancel-pass': change('cancel-pass'),
    'swap-passes': change('swap-passes'),
    'ask-addresses': change('ask-addresses'),
    sent: change('mark-masks-sent', { words: ['parcels', 'carrier'] }),
    'tell-others': change('tell-others'),
    'reissue-pass': change('reissue-pass'),
    'set-till': change('set-till', {
      words: [{ name: 'file', about: 'settings and keys as JSON; - is the standard input' }],
      options: [],
      read: (_, { file = '' }) => Object(readJson(readGivenFile(file))),
    }),
    till: request(operatorPaths.till),
    money: request(operatorPaths.money),
    'settle-payment': change('settle-payment'),
    'test-till': request(operatorPaths.testTill, { method: 'POST' }),
    export: request(operatorPaths.exportDrop, { query: DropFileRequest, file: 'The file is' }),
    orders: withUpload({
      options: [...(comparison.options ?? []), OUTPUT],
      run: async (call) => {
        await comparison.run(call);
        if (call.values.output !== undefined) await findings.run(call);
      },
    }),
    reconcile: withUpload(change('reconcile')),
    schedule: request<Schedule>(operatorPaths.schedule, {
      shows: 'step at time_zone state failure By:scheduled_by',
      note: ({ is_public }) => (is_public ? 'The site shows it.' : 'The site does not show it.'),
    }),
    unschedule: change('unschedule-step', {
      words: [{ name: 'step', choices: Object.keys(STEPS), parse: (text) => STEPS[text] }],
    }),
    'publish-schedule': change('publish-schedule', { input: { is_public: true } }),
    'hide-schedule': change('publish-schedule', { input: { is_public: false } }),
    close: change('close-drop'),
    open: change('open-drop'),
  },
};

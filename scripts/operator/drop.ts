/** The drop: what its changes take beyond their fields, and the orders of the shop. */
import type { DropView } from '../../contract/drop/drop-views.ts';
import { timeOfRound } from '../../contract/drop/randomness-rules.ts';
import type { ScheduledStep } from '../../contract/drop/step-words.ts';
import {
  ORDER_KINDS,
  type OrderKind,
  type OrderReport,
} from '../../contract/operator/drop/orders.ts';
import type { Schedule } from '../../contract/operator/drop/schedule.ts';
import { apiPaths } from '../../contract/paths.ts';
import type { Definition } from '../command-line/program.ts';
import { readGivenFile } from '../command-line/working-folder.ts';
import { change, request } from './calls.ts';
import { OUTPUT, readJson } from './fields.ts';
import { withUpload } from './imports.ts';

const STEPS: Readonly<Record<string, ScheduledStep>> = {
  freeze: 'freeze-drop',
  announce: 'announce-draw',
  select: 'select-entrants',
  offer: 'start-offers',
  close: 'close-drop',
};

const show = request<DropView>('GET drop', {
  path: apiPaths.drop,
  picks: ({ number, announcement, ...view }) => {
    const { source, round }: { source?: string; round?: number } = announcement?.randomness ?? {};
    return {
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
    };
  },
});

const comparison = request<OrderReport>('GET importOrders', {
  picks: ({ counts, findings }) => ({
    found: Object.entries(counts).map(([kind, found]) => {
      return { kind, found, what: ORDER_KINDS[kind as OrderKind] };
    }),
    need_a_look: findings.map(({ needs_look: _, ...finding }) => finding),
  }),
});
const findings = request('GET exportOrders', { file: 'What was found is' });

export const drop: Definition = {
  ...show,
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
    offers: request('GET offers'),
    offer: change('start-offers'),
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
    till: request('GET till'),
    money: request('GET money'),
    'settle-payment': change('settle-payment'),
    'test-till': request('POST testTill'),
    export: request('GET exportDrop', { file: 'The file is' }),
    orders: withUpload({
      ...comparison,
      options: [...(comparison.options ?? []), OUTPUT],
      run: async (call) => {
        await comparison.run(call);
        if (call.values.output !== undefined) await findings.run(call);
      },
    }),
    reconcile: withUpload(change('reconcile')),
    schedule: request<Schedule>('GET schedule', {
      shows: 'step at time_zone state failure scheduled_by',
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

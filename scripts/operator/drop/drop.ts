/** Launch day from the command line: the state of the drop, and each step of it. */
import type { Randomness } from '../../../contract/drop/draw-record.ts';
import type { DropView } from '../../../contract/drop/drop-views.ts';
import { timeOfRound } from '../../../contract/drop/randomness-rules.ts';
import { apiPaths } from '../../../contract/paths.ts';
import type { Config } from '../../../server/config.ts';
import { type Options, UsageError } from '../../command-line/command.ts';
import { print } from '../../command-line/output.ts';
import { runVerb, type Verbs } from '../../command-line/verbs.ts';
import { callOperator } from '../call-operator.ts';
import { makeChange } from '../changes/make-change.ts';
import { renderTable } from '../table.ts';
import { fetchSignature } from './fetch-signature.ts';
import { handOverVerbs } from './hand-over.ts';
import { offerVerbs } from './offers.ts';
import { scheduleVerbs, takeStep } from './schedule.ts';

export const dropVerbs: Verbs = {
  show: { usage: '', run: showDrop },
  freeze: { usage: '<how many>', run: freeze },
  unfreeze: { usage: '', run: (...call) => step('unfreeze-drop', ...call) },
  announce: { usage: '<by rank> <drawn among>', run: announce },
  select: { usage: '', run: select },
  ...offerVerbs,
  ...handOverVerbs,
  ...scheduleVerbs,
  close: {
    usage: '',
    run: (config, _words, options) => takeStep(config, { kind: 'close-drop', input: {} }, options),
  },
  open: { usage: '', run: (...call) => step('open-drop', ...call) },
};

type Words = readonly string[];

/** Prints the state when no words follow. */
export async function runDrop(config: Config, words: Words, options: Options): Promise<void> {
  if (words.length > 0) return await runVerb('drop', dropVerbs, { config, words, options });
  await showDrop(config, words, options);
}

async function showDrop(config: Config, _words: Words, { json }: Options): Promise<void> {
  const drop = await readDrop(config);
  const rows = Object.entries({
    Drop: drop.number,
    State: drop.state,
    Frozen: drop.frozen_at,
    List: drop.list_hash,
    Announced: drop.announcement?.announced_at,
    Announcement: drop.announcement_hash,
    Draw: describeRandomness(drop),
    Selected: drop.selected_at,
    Closed: drop.closed_at,
  }).flatMap(([name, value]) => (value == null ? [] : [[name, value] as const]));
  print(json, drop, () => renderTable(['What', 'Value'], rows));
}

async function freeze(config: Config, [count = '']: Words, options: Options): Promise<void> {
  const { pause: message } = options;
  const input = {
    first: readNumber(count),
    ...(message !== undefined && { pause_message: message }),
  };
  await takeStep(config, { kind: 'freeze-drop', input }, options);
}

async function announce(config: Config, [rank = '', among = '']: Words, options: Options) {
  const { at, masks, seed: hasSeed = false } = options;
  if (at !== undefined && hasSeed)
    throw new UsageError('The draw is by a round at a time (--at) or by a seed, not by both.');
  const chosen: Randomness['source'] = at === undefined ? 'none' : 'quicknet';
  const input = {
    by_rank: readNumber(rank),
    drawn_among: readNumber(among),
    source: hasSeed ? ('seed' as const) : chosen,
    ...(at !== undefined && { draw_at: readTime(at) }),
    ...(masks !== undefined && { masks: readMasks(masks) }),
  };
  await takeStep(config, { kind: 'announce-draw', input }, options);
}

async function select(config: Config, _words: Words, options: Options): Promise<void> {
  const { announcement } = await readDrop(config);
  const randomness = announcement?.randomness;
  const signature =
    randomness?.source === 'quicknet' && options.when === undefined
      ? (options.signature ?? (await fetchSignature(randomness.round, options.relay)))
      : undefined;
  const input = signature === undefined ? {} : { signature };
  await takeStep(config, { kind: 'select-entrants', input }, options);
}

async function step(
  kind: 'unfreeze-drop' | 'open-drop',
  config: Config,
  _words: Words,
  options: Options,
): Promise<void> {
  await makeChange(config, { kind, input: {} }, options);
}

async function readDrop(config: Config): Promise<DropView> {
  return await callOperator<DropView>(config, { path: apiPaths.drop() });
}

function describeRandomness({ announcement }: DropView): string | null {
  const { source, ...randomness } = announcement?.randomness ?? { source: 'none' };
  if (source === 'none') return null;
  if (!('round' in randomness)) return 'by a seed';
  const { round } = randomness;
  return `by round ${round} of quicknet, at ${new Date(timeOfRound(round)).toISOString()}`;
}

function readNumber(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new UsageError(`${text} is not a number.`);
  return Number(text);
}

function readTime(text: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new UsageError('--at needs a time, such as 2026-05-01T18:00Z.');
  return new Date(time).toISOString();
}

/** "Small=30,Large=20" */
function readMasks(text: string): { size: string; masks: number }[] {
  return text.split(',').map((pair) => {
    const [size = '', masks = ''] = pair.split(/=(?=\d+$)/);
    return { size, masks: readNumber(masks) };
  });
}

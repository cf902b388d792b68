import { SCHEDULED_STEPS } from '../../contract/drop/step-words.ts';
import {
  type AuditEntry,
  type ChangeInput,
  type ChangeKind,
  type ChangePreview,
  changeInputs,
  type MadeChange,
  UndoRequest,
} from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { parseMoment } from '../../server/moment-field-rules.ts';
import type { Call, Command, Commands } from '../command-line/command.ts';
import type { OptionName, Options } from '../command-line/options.ts';
import { print, printable, say } from '../command-line/output.ts';
import { toKebab, UsageError } from '../command-line/values.ts';
import { list, request } from './api-commands.ts';
import { assertCanGiveReason, readReason } from './ask.ts';
import { callOperator } from './call-operator.ts';
import { inParts, labelOfField, readInput } from './field-words.ts';

export type Input<Kind extends ChangeKind> = {
  readonly [Field in keyof ChangeInput<Kind>]?: ChangeInput<Kind>[Field] | undefined;
};

type Description<Kind extends ChangeKind> = {
  readonly about?: string;
  /** Fields that follow the command as words; by default all that are required, but no options. */
  readonly fields?: readonly (keyof ChangeInput<Kind> & string)[];
  readonly usage?: string;
  readonly options?: readonly OptionName[];
  readonly input?: Input<Kind>;
  readonly read?: (call: Call) => Input<Kind> | Promise<Input<Kind>>;
};

const CHANGE_OPTIONS = ['reason', 'preview', 'json'] as const;

/** The schema of the input defines words and options. `--when` schedules steps of a drop. */
export function change<Kind extends ChangeKind>(
  kind: Kind,
  { about, fields, usage, options = [], input, read }: Description<Kind> = {},
): Command & Required<Pick<Command, 'run'>> {
  const schema = changeInputs[kind];
  const required: readonly string[] = schema.required ?? [];
  const words = fields ?? (usage === undefined ? required.filter((one) => one !== 'note') : []);
  const listed = words.find((field) => field === 'codes' || field === 'parcels');
  const isStep = SCHEDULED_STEPS.some((step) => step === kind);
  return {
    ...(about !== undefined && { about }),
    usage: usage ?? words.map((field) => labelOfField(schema, field)).join(' '),
    options: [
      ...options,
      ...(required.includes('note') ? (['note'] as const) : []),
      ...(isStep ? (['when', 'time-zone'] as const) : []),
      ...CHANGE_OPTIONS,
    ],
    run: async (call) => {
      if (!call.options.preview) assertCanGiveReason(call.options);
      const texts = words.map((field, index) => [toKebab(field), call.words[index]]);
      const given = { ...call.options, ...Object.fromEntries(texts) };
      const more: object = { ...input, ...(await read?.(call)) };
      const all = { ...(await readInput(schema, given, call.config)), ...more };
      if (required.includes('note') && !Object.hasOwn(all, 'note')) {
        const { reason } = call.options;
        if (!reason) throw new UsageError('Add --reason "...": for whom, or why.');
        Object.assign(all, { note: reason });
      }
      if (listed === undefined) return await makeChange(call, kind, all as Input<Kind>);
      const reason = call.options.preview ? '' : await readReason(call.options);
      const options = { ...call.options, reason };
      for (const part of inParts(all[listed] as readonly string[]))
        await makeChange({ ...call, options }, kind, { ...all, [listed]: part } as Input<Kind>);
    },
  };
}

/** Throws UsageError when a reason is missing and there is no terminal to ask on. */
export async function makeChange<Kind extends ChangeKind>(
  { config, options }: Pick<Call, 'config' | 'options'>,
  wanted: Kind,
  given: Input<Kind>,
): Promise<void> {
  if (!options.preview) assertCanGiveReason(options);
  const { kind, input } = schedule(wanted, given, options);
  const preview = await callOperator<ChangePreview>(config, operatorPaths.previewChange, {
    body: { kind, input },
  });
  const sentences = preview.sentences.map(printable).join('\n');
  if (options.preview) return print(options, preview, sentences);
  say(options, sentences);
  const body = {
    kind,
    input: { ...input, ...bind(kind, preview) },
    reason: await readReason(options),
    ...(preview.seen !== null && { seen: preview.seen }),
  };
  const made = await callOperator<MadeChange>(config, operatorPaths.changes, { body });
  print(options, made, printable(made.summary));
  say(options, adviseUndo(made));
}

export const changesCommands: Commands = {
  changes: list<AuditEntry>(operatorPaths.changes, {
    about: 'What operators did, newest first, and what can still be undone.',
    cursor: 'before',
    none: 'Nothing was changed.',
    columns: [
      'number',
      ['Time', 'at'],
      ['By', ({ actor }) => actor.name],
      ['What', 'summary'],
      'reason',
      ['Undo', describeUndo],
    ],
  }),
  undo: request(operatorPaths.undoChange, {
    about: 'Undoes a change of the last 24 hours, by its number.',
    body: UndoRequest,
    describe: ({ summary }: MadeChange) => summary,
    note: adviseUndo,
  }),
};

export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function readTime(text: string, option: OptionName): string {
  const time = parseMoment(text);
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`--${option} needs a time, such as 2026-05-01T18:00+02:00.`);
  return time.toISOString();
}

function describeUndo({ undone_by, undo_until }: AuditEntry): string | null {
  return undone_by === null ? undo_until && `until ${undo_until}` : `undone by ${undone_by}`;
}

function adviseUndo({ change: number, undo_until }: MadeChange): string | null {
  return undo_until && `To undo it until ${undo_until}: ./waitlist undo ${number}`;
}

function schedule(kind: ChangeKind, input: object, options: Options) {
  if (options.when === undefined) return { kind, input };
  const at = readTime(options.when, 'when');
  const time_zone = options['time-zone'] ?? ownTimeZone();
  return { kind: 'schedule-step' as const, input: { at, time_zone, step: { [kind]: input } } };
}

/** Limits the change to what the preview said. */
function bind(kind: ChangeKind, { counts }: ChangePreview) {
  if (!Object.hasOwn(changeInputs[kind].properties, 'expected')) return {};
  return { expected: counts.members ?? counts.rewards ?? counts.passes ?? counts.credits };
}

import type { TObject } from 'typebox';
import { SCHEDULED_STEPS } from '../../contract/drop/step-words.ts';
import {
  type ChangeInput,
  type ChangeKind,
  type ChangePreview,
  changeInputs,
  type MadeChange,
} from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { print, printable, say } from '../command-line/output.ts';
import type { Call, Field, Values } from '../command-line/program.ts';
import { callOperator } from './call-operator.ts';
import { assertCanGiveReason, type Runnable, readReason } from './calls.ts';
import { fieldOf, fieldsOf, findValues, JSON_OUTPUT, PREVIEW, REASON, WHEN } from './fields.ts';

/** A call holds 16 KB, and some of that is not lines of a file. */
const MAX_BYTES = 10_000;
const MAX_LINES = 200;

type Input<Kind extends ChangeKind> = {
  readonly [Name in keyof ChangeInput<Kind>]?: ChangeInput<Kind>[Name] | undefined;
};

type Description<Kind extends ChangeKind> = {
  readonly about?: string;
  /** Left out: the fields that are required, but for a note. */
  readonly words?: readonly (string | Field)[];
  /** Left out: all other fields. */
  readonly options?: readonly string[];
  readonly input?: Input<Kind>;
  /** More of the input, from that of the fields, of which no option must be given. */
  readonly read?: (found: Input<Kind>, values: Values) => object;
};

/** Its preview is shown before it is made, and limits it. `--when` schedules steps of a drop. */
export function change<Kind extends ChangeKind>(
  kind: Kind,
  { about = '', input = {}, read, ...own }: Description<Kind> = {},
): Runnable {
  const schema: TObject = changeInputs[kind];
  const required: readonly string[] = schema.required ?? [];
  const all = fieldsOf(schema, [...Object.keys(input), 'expected']);
  const words = own.words
    ? own.words.map((one) => (typeof one === 'string' ? fieldOf(one, schema) : one))
    : all.filter(({ name }) => required.includes(name) && name !== 'note');
  const isWord = ({ name }: Field) => words.some((word) => word.name === name);
  const isOption = (field: Field) => !isWord(field) && (own.options?.includes(field.name) ?? true);
  const options = all.filter(isOption).map((one) => (read ? { ...one, isOptional: true } : one));
  const isOwn = ({ name, within = name }: Field) => within in schema.properties;
  const fields = [...words, ...options].filter(isOwn);
  const isStep = SCHEDULED_STEPS.some((step) => step === kind);
  const hasZone = options.some(({ name }) => name === 'time_zone');
  const listed = words.find(({ name }) => name === 'codes' || name === 'parcels')?.name;
  return {
    about,
    words,
    options: [
      ...options,
      ...(isStep ? [WHEN] : []),
      ...(isStep && !hasZone ? [{ ...fieldOf('time_zone'), isOptional: true }] : []),
      ...[REASON, PREVIEW, JSON_OUTPUT],
    ],
    run: async ({ config, values }) => {
      // A missing reason is told before the server is asked about a member or a size.
      if (!values.preview) assertCanGiveReason(values);
      const found = await findValues(fields, values, config);
      const needsNote = required.includes('note');
      const isAskedFirst = (needsNote || listed !== undefined) && !values.preview;
      const reason = isAskedFirst ? await readReason(values) : values.reason;
      const note = needsNote && { note: values.note ?? reason };
      const more = read?.(found as Input<Kind>, values);
      const given: Record<string, unknown> = { ...found, ...note, ...input, ...more };
      const call = { config, values: { ...values, ...(reason && { reason }) } };
      if (listed === undefined) return await makeChange(call, kind, given);
      for (const part of inParts(given[listed] as readonly string[]))
        await makeChange(call, kind, { ...given, [listed]: part });
    },
  };
}

export async function makeChange(
  { config, values }: Call,
  wanted: ChangeKind,
  given: object,
): Promise<void> {
  if (!values.preview) assertCanGiveReason(values);
  const { kind, input } = schedule(wanted, given, values);
  const preview = await callOperator<ChangePreview>(config, operatorPaths.previewChange, {
    body: { kind, input },
  });
  const sentences = preview.sentences.map(printable).join('\n');
  if (values.preview) return print(values, preview, sentences);
  say(values, sentences);
  const { counts, seen } = preview;
  const isBound = 'expected' in changeInputs[kind].properties;
  const expected = counts.members ?? counts.rewards ?? counts.passes ?? counts.credits;
  const body = {
    kind,
    input: { ...input, ...(isBound && { expected }) },
    reason: await readReason(values),
    ...(seen !== null && { seen }),
  };
  const made = await callOperator<MadeChange>(config, operatorPaths.changes, { body });
  print(values, made, printable(made.summary));
  say(values, adviseUndo(made));
}

export function adviseUndo({ change: number, undo_until }: MadeChange): string | null {
  return undo_until && `To undo it until ${undo_until}: ./waitlist undo ${number}`;
}

export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function schedule(kind: ChangeKind, input: object, { when, time_zone = ownTimeZone() }: Values) {
  if (when === undefined) return { kind, input };
  return {
    kind: 'schedule-step' as const,
    input: { at: when, time_zone, step: { [kind]: input } },
  };
}

/** Lines of a file in parts that a call can hold. */
export function inParts(lines: readonly string[]): readonly (readonly string[])[] {
  const longest = Math.max(...lines.map((line) => Buffer.byteLength(line)));
  const size = Math.min(MAX_LINES, Math.floor(MAX_BYTES / (longest + 3)));
  const starts = lines.flatMap((_, index) => (index % size === 0 ? index : []));
  return starts.map((start) => lines.slice(start, start + size));
}

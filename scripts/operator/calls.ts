/** Commands that are one call of the API: their words and options follow from path and schemas. */
import { createInterface } from 'node:readline/promises';
import { InvalidArgumentError } from 'commander';
import type { TObject } from 'typebox';
import { SCHEDULED_STEPS } from '../../contract/drop/step-words.ts';
import type { CallDescription, Method } from '../../contract/operator/calls/call.ts';
import { type OperatorCall, operatorCalls } from '../../contract/operator/calls.ts';
import {
  type ChangeInput,
  type ChangeKind,
  type ChangePreview,
  changeInputs,
  type MadeChange,
} from '../../contract/operator/changes.ts';
import type { TestMail } from '../../contract/operator/mails.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { WebhookDelivery } from '../../contract/operator/webhooks/webhooks.ts';
import { describe, oneLine, print, say } from '../command-line/output.ts';
import type { Call, Definition, Field, Values } from '../command-line/program.ts';
import { callOperator, OperatorError } from './call-operator.ts';
import { openStream, saveExport } from './export.ts';
import {
  fieldOf,
  fieldsOf,
  findValues,
  JSON_OUTPUT,
  OUTPUT,
  PREVIEW,
  REASON,
  WHEN,
} from './fields.ts';

export type Runnable = Definition & Required<Pick<Definition, 'run'>>;

type Request<Answer> = Pick<Definition, 'about' | 'commands'> & {
  /** Left out: that of the name. */
  readonly path?: string;
  /** Values of fields of the body. */
  readonly input?: object;
  /** Fields of the body that are asked for; the others stay as they are. By default all are. */
  readonly words?: readonly string[];
  /** What is shown of the answer. */
  readonly picks?: (answer: Answer) => object;
  /** Columns of a list, or values of another answer, one of them alone; by default all. */
  readonly shows?: string;
  /** Rows stand one below the other, as each is too much for a line of a table. */
  readonly isTall?: true;
  /** What is said where there is nothing to show, by default that it is done. */
  readonly says?: string;
  /** What a file has, where that is the answer. */
  readonly file?: string;
  readonly failure?: (answer: Answer) => string | null;
  readonly note?: string | ((answer: Answer) => string | null);
};

/** Fields of the query are options. Those of the body are words, but for a body with a filter. */
export function request<Answer>(name: OperatorCall, own: Request<Answer> = {}): Runnable {
  const [method, called] = name.split(' ') as [Method, keyof typeof operatorPaths];
  const { summary, querystring, ...described }: CallDescription = operatorCalls[name];
  const body = described.body as TObject | undefined;
  const { path: pattern = operatorPaths[called], about = `${summary}.`, commands } = own;
  const { input = {}, words, picks, file, failure, note } = own;
  const inPath = Array.from(pattern.matchAll(/:(\w+)/g), ([, name = '']) => fieldOf(name));
  const inBody = (body ? fieldsOf(body, ['reason', ...Object.keys(input)]) : []).filter(
    ({ name }) => words?.includes(name) ?? true,
  );
  const inQuery = querystring ? fieldsOf(querystring) : [];
  const isFiltered = inBody.some(({ within }) => within === 'filter');
  const hasReason = body !== undefined && 'reason' in body.properties;
  return {
    about,
    ...(commands && { commands }),
    words: [...inPath, ...(isFiltered ? [] : inBody)],
    options: [
      ...(isFiltered ? inBody : []),
      ...inQuery,
      ...(hasReason ? [REASON] : []),
      file === undefined ? JSON_OUTPUT : OUTPUT,
    ],
    run: async ({ config, values }) => {
      const ids = await findValues(inPath, values, config);
      const path = pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(ids[name])));
      const given = { ...input, ...(await findValues(inBody, values, config)) };
      const reason = hasReason && { reason: await readReason(values) };
      const before = words ? await callOperator<object>(config, path) : {};
      const kept = Object.entries(before).filter(([key]) => key in Object(body?.properties));
      const call = {
        method,
        query: await findValues(inQuery, values, config),
        ...(body && { body: { ...Object.fromEntries(kept), ...given, ...reason } }),
      };
      if (file !== undefined)
        return await saveExport(() => openStream(config, path, call), file, values.output);
      const answer = await callOperator<Answer>(config, path, call);
      const fault = failure?.(answer) ?? null;
      if (fault === null || values.json)
        print(values, answer ?? {}, show(picks?.(answer) ?? answer, own));
      if (fault !== null) throw new OperatorError(fault);
      say(values, typeof note === 'function' ? note(answer) : (note ?? adviseNext(answer)));
    },
  };
}

function show<Answer>(answer: unknown, own: Request<Answer>): string {
  const { isTall, shows, says = 'Done.' } = own;
  const list = listOf(answer);
  if (isTall && list) return list[1].map((row) => describe(row)).join('\n\n');
  const only = Object(answer)[shows ?? ''];
  if (list) return describeList(...list, shows);
  return typeof only === 'string' ? only : describe(Object(answer), shows) || says;
}

/** The rows of an answer that is but one list, and their name in it. */
function listOf(answer: unknown): readonly [string, readonly object[]] | null {
  const [[name, rows] = ['', null], ...others] = Object.entries(Object(answer)).filter(
    ([, value]) => value instanceof Object,
  );
  const isList = Array.isArray(rows) && rows.every((row) => row instanceof Object);
  return isList && others.length === 0 ? [name, rows] : null;
}

export function describeList(name: string, rows: readonly object[], shows?: string): string {
  return rows.length === 0 ? `There are no ${name}.` : describe(rows, shows);
}

/** How the next page is asked for, or how a change is undone. */
function adviseNext(answer: unknown): string | null {
  const { next, undo_until, change: number }: Page & Partial<MadeChange> = Object(answer);
  if (undo_until) return `To undo it until ${undo_until}: ./waitlist undo ${number}`;
  return next == null ? null : `There are more: the same command with --after ${next}`;
}

type Page = { readonly next?: string | number | null };
type Attempt = Partial<TestMail & WebhookDelivery>;

/** Sends a mail or an event once, and says what came of it. */
export function attempt(name: OperatorCall) {
  return request<Attempt>(name, {
    shows: 'outcome file status duration_ms answer',
    failure: explainFailure,
    note: ({ outcome }) =>
      outcome === 'kept'
        ? 'SMTP_URL is not set, so nothing was sent. The file stays an hour.'
        : null,
  });
}

export function explainFailure(attempt: Attempt): string | null {
  const { outcome, state = outcome, cause, error_code, answer, advice } = attempt;
  if (state === 'sent' || state === 'kept' || state === 'delivered') return null;
  const words = oneLine(answer ?? error_code ?? '');
  const sentence = `Not delivered: ${cause ?? ''}${words && ` (${words})`}.`;
  return [sentence, advice].filter(Boolean).join(' ');
}

type Change<Kind extends ChangeKind> = {
  /** Left out: the fields that must be given. */
  readonly words?: readonly (Field | (keyof ChangeInput<Kind> & string))[];
  /** Left out: all other fields. */
  readonly options?: readonly string[];
  readonly input?: Partial<ChangeInput<Kind>>;
  /** More of the input, from that of the fields, of which no option must be given. */
  readonly read?: (found: Partial<ChangeInput<Kind>>, values: Values) => object;
};

/** Its preview is shown before it is made, and limits it. `--when` schedules steps of a drop. */
export function change<Kind extends ChangeKind>(kind: Kind, own: Change<Kind> = {}): Runnable {
  const { input = {}, read } = own;
  const schema: TObject = changeInputs[kind];
  const all = fieldsOf(schema, [...Object.keys(input), 'expected']);
  const words =
    own.words?.map((one) => (typeof one === 'string' ? fieldOf(one, schema) : one)) ??
    all.filter(({ isOptional }) => !isOptional);
  const options = all
    .filter(({ name }) => own.options?.includes(name) ?? words.every((word) => word.name !== name))
    .map((one) => (read ? { ...one, isOptional: true } : one));
  const fields = [...words, ...options].filter(
    ({ name, within = name }) => within in schema.properties,
  );
  const isStep = SCHEDULED_STEPS.some((step) => step === kind);
  const hasZone = 'time_zone' in schema.properties;
  const hasNote = 'note' in schema.properties;
  const listed = fields.find(({ name }) => name === 'codes' || name === 'parcels')?.name;
  return {
    about: `${Object(schema).description}.`,
    words,
    options: [
      ...options,
      ...(isStep ? [WHEN] : []),
      ...(isStep && !hasZone ? [fieldOf('time_zone')] : []),
      ...[REASON, PREVIEW, JSON_OUTPUT],
    ],
    run: async ({ config, values }) => {
      // A missing reason is told before the server is asked about a member or a size.
      if (!values.preview) assertCanGiveReason(values);
      const found = await findValues(fields, values, config);
      const isAskedFirst = (hasNote || listed !== undefined) && !values.preview;
      const reason = isAskedFirst ? await readReason(values) : values.reason;
      const given: Record<string, unknown> = {
        ...(hasZone && { time_zone: ownTimeZone() }),
        ...found,
        ...(hasNote && { note: values.note ?? reason }),
        ...input,
        ...read?.(found as Partial<ChangeInput<Kind>>, values),
      };
      const call = { config, values: { ...values, ...(reason && { reason }) } };
      if (listed === undefined) return await makeChange(call, kind, given);
      for (const part of inParts(given[listed] as readonly string[]))
        await makeChange(call, kind, { ...given, [listed]: part });
    },
  };
}

export async function makeChange(
  { config, values }: Call,
  kind: ChangeKind,
  input: object,
): Promise<void> {
  if (!values.preview) assertCanGiveReason(values);
  const { when, time_zone = ownTimeZone() } = values;
  const step = { at: when, time_zone, step: { [kind]: input } };
  const wanted = when === undefined ? { kind, input } : { kind: 'schedule-step', input: step };
  const preview = await callOperator<ChangePreview>(config, operatorPaths.previewChange, {
    body: wanted,
  });
  const sentences = preview.sentences.join('\n');
  if (values.preview) return print(values, preview, sentences);
  say(values, sentences);
  const { counts, seen } = preview;
  const expected = counts.members ?? counts.rewards ?? counts.passes ?? counts.credits;
  const body = {
    ...wanted,
    ...('expected' in changeInputs[kind].properties && { input: { ...input, expected } }),
    reason: await readReason(values),
    ...(seen !== null && { seen }),
  };
  const made = await callOperator<MadeChange>(config, operatorPaths.changes, { body });
  print(values, made, made.summary);
  say(values, adviseNext(made));
}

export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A call holds 16 KB, and some of that is not lines of a file. */
const MAX_BYTES = 10_000;
const MAX_LINES = 200;

/** Lines of a file in parts that a call can hold. */
export function inParts(lines: readonly string[]): readonly (readonly string[])[] {
  const longest = Math.max(...lines.map((line) => Buffer.byteLength(line)));
  const size = Math.min(MAX_LINES, Math.floor(MAX_BYTES / (longest + 3)));
  const starts = lines.flatMap((_, index) => (index % size === 0 ? index : []));
  return starts.map((start) => lines.slice(start, start + size));
}

export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(question);
  terminal.close();
  return answer;
}

/** A note is the reason, too. Throws without a terminal to ask on. */
function assertCanGiveReason({ reason, note }: Values): void {
  if ((reason ?? note)?.trim() || process.stdin.isTTY) return;
  throw new InvalidArgumentError('Add --reason "...": why, for the audit log.');
}

async function readReason(values: Values): Promise<string> {
  assertCanGiveReason(values);
  const given = values.reason ?? values.note ?? (await ask('Why, for the audit log? '));
  if (given.trim() !== '') return given;
  throw new InvalidArgumentError('Nothing was changed: a change needs a reason.');
}

/** Commands that are a call or a change of the API: their fields follow from path and schemas. */
import { createInterface } from 'node:readline/promises';
import type { TObject } from 'typebox';
import { SCHEDULED_STEPS } from '../../contract/drop/step-words.ts';
import type { CallDescription, Method } from '../../contract/operator/calls/call.ts';
import { type OperatorCall, operatorCalls } from '../../contract/operator/calls.ts';
import {
  type ChangeKind,
  type ChangeRequest,
  changeInputs,
  type WantedChange,
} from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { describe, describeList, print, say } from '../command-line/output.ts';
import {
  type Call,
  type Definition,
  type Field,
  refuse,
  type Values,
} from '../command-line/program.ts';
import { callOperator, OperatorError, openOperatorCall, readAnswer } from './call-operator.ts';
import { saveExport } from './export.ts';
import { fieldOf, fieldsOf, findValues } from './fields.ts';

export type Run = (call: Call) => Promise<void>;

/** A command: a call or a change of the API, or a function of its own. */
export type Row<Answer = never> = {
  readonly does?: OperatorCall | ChangeKind;
  /** Left out: the summary of the call. */
  readonly about?: string;
  /** Left out: that of the call. */
  readonly path?: string;
  /** Values of fields, which nobody is asked for. */
  readonly input?: object;
  /** Names of fields that `fill` or `around` finds. */
  readonly gives?: readonly string[];
  /** More fields. */
  readonly takes?: readonly (string | Field)[];
  /** Fields that follow from the values, so that no option must be given. */
  readonly fill?: (values: Values) => object;
  /** No field is a word, and all are options. */
  readonly hasNoWords?: true;
  /** Fields of the body that are not given stay as they are. */
  readonly keeps?: true;
  readonly around?: (call: Call, run: Run) => Promise<void>;
  readonly run?: Run;
  /** Columns of a list, or values of another answer, one of them alone; by default all. */
  readonly shows?: string;
  /** What is said where there is nothing to show, by default that it is done. */
  readonly says?: string;
  /** How the answer is shown, where columns and values are not enough. */
  readonly text?: (answer: Answer) => string;
  /** What a file has, where that is the answer. */
  readonly file?: string;
  readonly failure?: (answer: Answer) => string | null;
  readonly note?: string | ((answer: Answer) => string | null);
};

/** Words in `usage` are names of fields; without any, those are words that must be given. */
export function define(usage: string, row: Row): Omit<Definition, 'group'> {
  const { does, input = {}, gives = [], takes = [], fill, hasNoWords, around } = row;
  const kind = does !== undefined && does in changeInputs ? (does as ChangeKind) : undefined;
  const [method, called = ''] = (does ?? '').split(' ');
  const { summary, querystring, body }: Partial<CallDescription> = kind
    ? { summary: String(Object(changeInputs[kind]).description), body: changeInputs[kind] }
    : (operatorCalls[does as OperatorCall] ?? {});
  const pattern = row.path ?? operatorPaths[called as keyof typeof operatorPaths] ?? '';
  const inPath = Array.from(pattern.matchAll(/:(\w+)/g), ([, name = '']) => fieldOf(name));
  const inBody = body ? fieldsOf(body as TObject) : [];
  const inQuery = querystring ? fieldsOf(querystring) : [];
  const more = takes.map((one) => (typeof one === 'string' ? fieldOf(one) : one));
  const isAsked = ({ name }: Field) =>
    name !== 'expected' && !gives.includes(name) && !(name in input);
  const asked = [...more, ...[...inPath, ...inBody, ...inQuery].filter(isAsked)];
  const named = Array.from(usage.matchAll(/([<[])(\w+)/g), ([, bracket, name = '']) => {
    const field = asked.find((one) => one.name === name) ?? fieldOf(name);
    return { ...field, isOptional: bracket === '[' };
  });
  const needed = [...inPath, ...inBody].filter((one) => isAsked(one) && !one.isOptional);
  const words = named.length > 0 || hasNoWords ? named : needed;
  const options = asked
    .filter(({ name }) => words.every((word) => word.name !== name))
    .map((one) => (fill || row.keeps ? { ...one, isOptional: true } : one));
  const isIn = (name: string) => asked.some((one) => one.name === name);
  const isAskedFirst = isIn(kind ? 'note' : 'reason') || isIn('codes') || isIn('parcels');

  async function run({ config, values }: Call): Promise<void> {
    // A missing reason is told before the server is asked about a member or a size.
    if (kind && !values.preview) assertCanGiveReason(values);
    const reason = isAskedFirst && !values.preview ? await readReason(values) : values.reason;
    const given = { ...values, ...input, reason, note: values.note ?? reason };
    const call = { config, values: given };
    const found = await findValues(inBody, given, config);
    if (kind) return await makeChanges(call, kind, { ...found, ...fill?.(given) });
    const ids = await findValues(inPath, given, config);
    const path = pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(ids[name])));
    const before = row.keeps ? await readAnswer<object>(await openOperatorCall(config, path)) : {};
    const kept = Object.entries(before).filter(([name]) => isIn(name));
    const request = {
      method: method as Method,
      query: await findValues(inQuery, given, config),
      ...(body && { body: { ...Object.fromEntries(kept), ...found } }),
    };
    if (row.file !== undefined)
      return await saveExport(
        () => openOperatorCall(config, path, request),
        row.file,
        values.output,
      );
    show(
      call,
      await readAnswer(await openOperatorCall(config, path, request)),
      row as Row<unknown>,
    );
  }

  const own = row.run ?? run;
  return {
    path: usage.replace(/ [<[].*/, ''),
    about: row.about ?? `${summary}.`,
    words,
    options: [
      ...options,
      ...(kind && SCHEDULED_STEPS.some((step) => step === kind) ? ['when', 'time_zone'] : []),
      ...(kind ? ['reason', 'preview'] : []),
      ...(does ? [row.file === undefined ? 'json' : 'output'] : []),
    ]
      .map((one) => (typeof one === 'string' ? fieldOf(one) : one))
      .filter(({ name }, index, all) => index === all.findIndex((one) => one.name === name)),
    ...(does || row.run ? { run: around ? (call) => around(call, own) : own } : {}),
  };
}

function show({ values }: Call, answer: unknown, row: Row<unknown>) {
  const { note } = row;
  const fault = row.failure?.(answer) ?? null;
  if (fault === null || values.json)
    print(values, answer ?? {}, row.text?.(answer) ?? describeAnswer(answer, row));
  if (fault !== null) throw new OperatorError(fault);
  say(values, typeof note === 'function' ? note(answer) : (note ?? adviseNext(answer)));
}

function describeAnswer(answer: unknown, { shows, says = 'Done.' }: Row<unknown>): string {
  const [[name, rows] = ['', null], ...others] = Object.entries(Object(answer)).filter(
    ([, value]) => value instanceof Object,
  );
  const isList = Array.isArray(rows) && rows.every((row) => row instanceof Object);
  if (isList && others.length === 0) return describeList(name, rows, shows);
  const only = Object(answer)[shows ?? ''];
  return typeof only === 'string' ? only : describe(Object(answer), shows) || says;
}

/** How the next page is asked for, or how a change is undone. */
function adviseNext(answer: unknown): string | null {
  const { next, undo_until, change: number } = Object(answer);
  if (undo_until) return `To undo it until ${undo_until}: ./waitlist undo ${number}`;
  return next == null ? null : `There are more: the same command with --after ${next}`;
}

/** A change for each part of a file of codes or parcels. */
async function makeChanges(call: Call, kind: ChangeKind, input: object): Promise<void> {
  const [name, lines] = Object.entries(input).find(([key]) => /^(codes|parcels)$/.test(key)) ?? [];
  if (name === undefined) return await makeChange(call, kind, input);
  for (const part of inParts(lines)) await makeChange(call, kind, { ...input, [name]: part });
}

/** The preview is shown before the change is made, and limits it. */
async function makeChange({ config, values }: Call, kind: ChangeKind, input: object) {
  const { when, time_zone } = values;
  const step = { at: when, time_zone, step: { [kind]: input } };
  const wanted = when === undefined ? { kind, input } : { kind: 'schedule-step', input: step };
  const body = wanted as WantedChange;
  const preview = await callOperator(config, 'POST previewChange', { body });
  const sentences = preview.sentences.join('\n');
  if (values.preview) return print(values, preview, sentences);
  say(values, sentences);
  const { counts, seen } = preview;
  const expected = counts.members ?? counts.rewards ?? counts.passes ?? counts.credits;
  const change = {
    ...body,
    ...('expected' in changeInputs[kind].properties && { input: { ...input, expected } }),
    reason: await readReason(values),
    ...(seen !== null && { seen }),
  } as ChangeRequest;
  const made = await callOperator(config, 'POST changes', { body: change });
  print(values, made, made.summary);
  say(values, adviseNext(made));
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
  refuse('Add --reason "...": why, for the audit log.');
}

async function readReason(values: Values): Promise<string> {
  assertCanGiveReason(values);
  const given = values.reason ?? values.note ?? (await ask('Why, for the audit log? '));
  return given.trim() || refuse('Nothing was changed: a change needs a reason.');
}

/** Commands that are one call of the API: their words and options follow from path and schemas. */
import { createInterface } from 'node:readline/promises';
import { InvalidArgumentError } from 'commander';
import type { TObject } from 'typebox';
import type { TestMail } from '../../contract/operator/mails.ts';
import type { WebhookDelivery } from '../../contract/operator/webhooks/webhooks.ts';
import { describe, describeRows, oneLine, print, printable, say } from '../command-line/output.ts';
import type { Definition, Field, Values } from '../command-line/program.ts';
import { callOperator, OperatorError } from './call-operator.ts';
import { openStream, saveExport } from './export.ts';
import { fieldOf, fieldsOf, findValues, JSON_OUTPUT, OUTPUT, REASON } from './fields.ts';

export type Runnable = Definition & Required<Pick<Definition, 'run'>>;

type Request<Answer> = Pick<Definition, 'about' | 'commands'> & {
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  /** Its fields are options. */
  readonly query?: TObject;
  readonly body?: TObject;
  /** Fields of the body that are words, by default all; the others are options. */
  readonly words?: readonly string[];
  /** Values of fields that need not be given. */
  readonly input?: object;
  /** What is shown: columns of a list, or values of another answer; by default all. */
  readonly shows?: string;
  /** A text in place of that. */
  readonly says?: string | ((answer: Answer, values: Values) => string);
  /** What a file has, where that is the answer. */
  readonly file?: string;
  readonly failure?: (answer: Answer) => string | null;
  readonly note?: string | ((answer: Answer) => string | null);
};

type Page = { readonly next?: string | number | null };

export function request<Answer>(pattern: string, description: Request<Answer> = {}): Runnable {
  const { about = '', commands, method, query, body, file, failure, note } = description;
  const { input = {} } = description;
  const inPath = Array.from(pattern.matchAll(/:(\w+)/g), ([, name = '']) => fieldOf(name));
  const inBody = (body ? fieldsOf(body, ['reason']) : []).map((field) =>
    Object.hasOwn(input, field.name) ? { ...field, isOptional: true } : field,
  );
  const isWord = ({ name }: Field) => description.words?.includes(name) ?? true;
  const inQuery = query ? fieldsOf(query) : [];
  const hasReason = body !== undefined && 'reason' in body.properties;
  return {
    about,
    ...(commands && { commands }),
    words: [...inPath, ...inBody.filter(isWord)],
    options: [
      ...inBody.filter((field) => !isWord(field)),
      ...inQuery,
      ...(hasReason ? [REASON] : []),
      file === undefined ? JSON_OUTPUT : OUTPUT,
    ],
    run: async ({ config, values }) => {
      const ids = await findValues(inPath, values, config);
      const path = pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(ids[name])));
      const call = {
        query: await findValues(inQuery, values, config),
        ...(method && { method }),
        ...(body && {
          body: {
            ...input,
            ...(await findValues(inBody, values, config)),
            ...(hasReason && { reason: await readReason(values) }),
          },
        }),
      };
      if (file !== undefined)
        return await saveExport(() => openStream(config, path, call), file, values.output);
      const answer = await callOperator<Answer>(config, path, call);
      const fault = failure?.(answer) ?? null;
      if (fault === null || values.json) show(answer, values, description);
      if (fault !== null) throw new OperatorError(fault);
      say(values, typeof note === 'function' ? note(answer) : (note ?? adviseNext(answer)));
    },
  };
}

function show<Answer>(answer: Answer, values: Values, { shows, says }: Request<Answer>): void {
  const list = listOf(answer);
  const text = typeof says === 'function' ? says(answer, values) : says;
  const shown = list ? describeList(...list, shows) : describe(Object(answer), shows);
  const lines = (text ?? shown).split('\n').map(printable);
  print(values, answer ?? {}, lines.join('\n'));
}

/** The rows of an answer that is but one list, and their name in it. */
function listOf(answer: unknown): readonly [string, readonly object[]] | null {
  const [[name, rows] = ['', null], ...others] = Object.entries(Object(answer)).filter(
    ([, value]) => value instanceof Object,
  );
  const isList = Array.isArray(rows) && rows.every((row) => row instanceof Object);
  return isList && others.length === 0 ? [name, rows] : null;
}

export function describeList(name: string, rows: readonly object[], columns?: string): string {
  return rows.length === 0 ? `There are no ${name}.` : describeRows(rows, columns);
}

function adviseNext(answer: unknown): string | null {
  const { next } = Object(answer) as Page;
  return next == null ? null : `There are more: the same command with --after ${next}`;
}

type Attempt = Partial<TestMail & WebhookDelivery>;

/** Sends a mail or an event once, and says what came of it. */
export function attempt(pattern: string, more: Pick<Request<Attempt>, 'about' | 'body'> = {}) {
  return request<Attempt>(pattern, {
    ...more,
    method: 'POST',
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

export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(question);
  terminal.close();
  return answer;
}

/** A note is the reason, too. Throws without a terminal to ask on. */
export function assertCanGiveReason({ reason, note }: Values): void {
  if ((reason ?? note)?.trim() || process.stdin.isTTY) return;
  throw new InvalidArgumentError('Add --reason "...": why, for the audit log.');
}

export async function readReason(values: Values): Promise<string> {
  assertCanGiveReason(values);
  const given = values.reason ?? values.note ?? (await ask('Why, for the audit log? '));
  if (given.trim() !== '') return given;
  throw new InvalidArgumentError('Nothing was changed: a change needs a reason.');
}

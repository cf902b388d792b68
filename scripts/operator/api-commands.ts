/** Commands that are one call of the API: their words follow from its path and schema. */
import type { TObject } from 'typebox';
import { DROP_FILE_NAMES } from '../../contract/operator/drop/drop-files.ts';
import type { Config } from '../../server/config.ts';
import type { Call, Command } from '../command-line/command.ts';
import type { OptionName, Options } from '../command-line/options.ts';
import { type Columns, print, printable, renderTable, say } from '../command-line/output.ts';
import { itemsOf, labelOf, readFields, readNumber, toKebab } from '../command-line/values.ts';
import { readReason } from './ask.ts';
import { callOperator, OperatorError } from './call-operator.ts';
import { saveExport } from './export.ts';
import { findMember, findOperator } from './find.ts';

type Runnable = Command & Required<Pick<Command, 'run'>>;

type Parameter = {
  readonly label: string;
  /** The value in the path, from the word of a person. Throws UsageError, or OperatorError. */
  readonly read?: (text: string, config: Config) => string | Promise<string>;
};

const NUMBER: Parameter['read'] = (text) => String(readNumber(text, 1, 999_999_999));

const PARAMETERS: Readonly<Record<string, Parameter>> = {
  memberId: {
    label: '<id|address|code>',
    read: async (text, config) => (await findMember(config, text)).id,
  },
  operatorId: {
    label: '<address>',
    read: async (text, config) => (await findOperator(config, text)).id,
  },
  tier: { label: '<tier>', read: (text) => String(readNumber(text, 1, 100)) },
  campaign: { label: '<number>', read: NUMBER },
  change: { label: '<number>', read: NUMBER },
  file: { label: DROP_FILE_NAMES.join('|') },
};

export async function pathOfWords(pattern: string, { words, config }: Call): Promise<string> {
  let path = pattern;
  for (const [index, name] of parametersOf(pattern).entries()) {
    const word = words[index] ?? '';
    const value = (await PARAMETERS[name]?.read?.(word, config)) ?? word;
    path = path.replace(`:${name}`, encodeURIComponent(value));
  }
  return path;
}

function usageOfPath(pattern: string): string {
  return parametersOf(pattern)
    .map((name) => PARAMETERS[name]?.label ?? '<id>')
    .join(' ');
}

type List<Row> = Omit<Command, 'run'> & {
  readonly query?: (options: Options) => Readonly<Record<string, string | undefined>>;
  readonly cursor?: 'after' | 'before';
  readonly columns: Columns<Row>;
  readonly none: string;
  readonly isBare?: boolean;
};

type Page = { readonly next?: string | number | null };

export function list<Row>(pattern: string, description: List<Row>) {
  const { cursor, columns, none, isBare, query, ...more } = description;
  const run = async (call: Call) => {
    const { config, options } = call;
    const path = await pathOfWords(pattern, call);
    const page = await callOperator<Page & Record<string, unknown>>(config, path, {
      query: { ...query?.(options), ...(cursor && { [cursor]: options.after }) },
    });
    const rows: readonly Row[] = Object.values(page).find(Array.isArray) ?? [];
    print(options, isBare ? rows : page, rows.length === 0 ? none : renderTable(columns, rows));
    sayNext(options, page);
  };
  const options = [...(more.options ?? []), ...(cursor ? ['after' as const] : []), 'json' as const];
  return { usage: usageOfPath(pattern), ...more, options, run } satisfies Command;
}

export function sayNext(options: Options, { next }: Page): void {
  if (next != null) say(options, `There are more: the same command with --after ${next}`);
}

type Request<Answer> = Omit<Command, 'run'> & {
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  readonly body?: TObject;
  readonly describe: (answer: Answer, words: readonly string[]) => string;
  readonly failure?: (answer: Answer) => string | null;
  readonly note?: (answer: Answer) => string | null;
};

export function request<Answer>(
  pattern: string,
  { method, body: schema, describe, failure, note, ...more }: Request<Answer>,
): Runnable {
  const fields = Object.keys(schema?.properties ?? {});
  const named = fields.filter((field) => field !== 'reason');
  const hasReason = named.length < fields.length;
  const offset = parametersOf(pattern).length;
  const last = schema?.required?.findLast((field) => field !== 'reason') ?? '';
  const items = schema === undefined ? [] : itemsOf(schema, last);
  const labels = schema === undefined ? [] : named.map((field) => labelOf(schema, field));
  return {
    usage: [usageOfPath(pattern), ...labels].join(' ').trim(),
    ...(items.length > 0 && { completeLast: (begun) => continueList(begun, items) }),
    ...more,
    options: [...(hasReason ? (['reason'] as const) : []), 'json'],
    run: async (call) => {
      const { config, words, options } = call;
      const texts = named.map((field, index) => [toKebab(field), words[offset + index]]);
      const body = schema && readFields(schema, Object.fromEntries(texts));
      const reason = hasReason ? { reason: await readReason(options) } : {};
      const path = await pathOfWords(pattern, call);
      const answer = await callOperator<Answer>(config, path, {
        ...(method && { method }),
        ...(body && { body: { ...body, ...reason } }),
      });
      const fault = failure?.(answer) ?? null;
      if (fault === null || options.json) {
        const lines = describe(answer, words).split('\n').map(printable);
        print(options, answer ?? { id: words[offset - 1] }, lines.join('\n'));
      }
      if (fault !== null) throw new OperatorError(fault);
      const said = note?.(answer) ?? null;
      if (said !== null) say(options, said);
    },
  };
}

export function exporting(
  pattern: string,
  given: readonly OptionName[],
  describe: (words: readonly string[]) => string,
): Command {
  return {
    usage: usageOfPath(pattern),
    options: [...given, 'output'],
    run: async (call) => {
      const query = Object.fromEntries(given.map((name) => [name, call.options[name]]));
      const path = await pathOfWords(pattern, call);
      await saveExport(call.config, { path, query }, describe(call.words), call.options);
    },
  };
}

function parametersOf(pattern: string): readonly string[] {
  return Array.from(pattern.matchAll(/:(\w+)/g), ([, name = '']) => name);
}

function continueList(begun: string, items: readonly string[]): readonly string[] {
  const chosen = begun.split(',').slice(0, -1);
  const free = items.filter((item) => !chosen.includes(item));
  return free.map((item) => [...chosen, item].join(','));
}

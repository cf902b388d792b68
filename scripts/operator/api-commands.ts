/** Commands that are one call of the API: their words follow from its path and schema. */
import type { TObject } from 'typebox';
import type { Command } from '../command-line/command.ts';
import type { OptionName } from '../command-line/options.ts';
import {
  type Columns,
  print,
  printable,
  renderPairs,
  renderSheet,
  renderTable,
  say,
} from '../command-line/output.ts';
import { itemsOf, readFields, toKebab } from '../command-line/values.ts';
import { readReason } from './ask.ts';
import { callOperator, OperatorError } from './call-operator.ts';
import { saveExport } from './export.ts';
import { labelOfField, parametersOf, pathOfWords, readInput, usageOfPath } from './field-words.ts';

export type Runnable = Command & Required<Pick<Command, 'run'>>;

type Request<Answer> = Omit<Command, 'run'> & {
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  readonly body?: TObject;
  /** Its fields are options of the command, but for the cursor. */
  readonly query?: TObject;
  readonly cursor?: 'after' | 'before';
  /** What is shown of the answer: rows of these columns, or a text; by default all of it. */
  readonly columns?: Columns<Answer>;
  readonly describe?: (answer: Answer, words: readonly string[]) => string;
  /** What programs get of the answer; by default all of it. */
  readonly select?: (answer: Answer) => unknown;
  readonly failure?: (answer: Answer) => string | null;
  readonly note?: (answer: Answer) => string | null;
};

export function request<Answer>(pattern: string, description: Request<Answer> = {}): Runnable {
  const { method, body: schema, query, cursor, columns, ...others } = description;
  const { describe, select, failure, note, ...more } = others;
  const fields = Object.keys(schema?.properties ?? {});
  const named = fields.filter((field) => field !== 'reason');
  const hasReason = named.length < fields.length;
  const filters = Object.keys(query?.properties ?? {}).filter((field) => field !== 'after');
  const offset = parametersOf(pattern).length;
  const last = schema?.required?.findLast((field) => field !== 'reason') ?? '';
  const items = schema === undefined ? [] : itemsOf(schema, last);
  const labels = schema === undefined ? [] : named.map((field) => labelOfField(schema, field));
  const options = [filters.map(toKebab), cursor ? 'after' : [], hasReason ? 'reason' : [], 'json'];
  return {
    usage: [usageOfPath(pattern), ...labels].join(' ').trim(),
    ...(items.length > 0 && { completeLast: (begun) => continueList(begun, items) }),
    ...more,
    options: options.flat() as OptionName[],
    run: async (call) => {
      const { config, words, options } = call;
      const texts = named.map((field, index) => [toKebab(field), words[offset + index]]);
      const body = schema && (await readInput(schema, Object.fromEntries(texts), config));
      const reason = hasReason ? { reason: await readReason(options) } : {};
      const path = await pathOfWords(pattern, call);
      const filter = query && (readFields(query, options) as Readonly<Record<string, string>>);
      const answer = await callOperator<Answer>(config, path, {
        query: { ...filter, ...(cursor && { [cursor]: options.after }) },
        ...(method && { method }),
        ...(body && { body: { ...body, ...reason } }),
      });
      const fault = failure?.(answer) ?? null;
      if (fault === null || options.json) {
        const text = columns
          ? renderSheet(columns, answer)
          : (describe?.(answer, words) ?? describeAnswer(Object(answer)));
        const lines = text.split('\n').map(printable);
        const selected = select ? select(answer) : (answer ?? { id: words[offset - 1] });
        print(options, selected, lines.join('\n'));
      }
      if (fault !== null) throw new OperatorError(fault);
      say(options, note?.(answer) ?? null);
    },
  };
}

type List<Row> = Pick<Request<Page>, 'about' | 'query' | 'cursor'> & {
  readonly columns: Columns<Row>;
  readonly none: string;
  readonly isBare?: boolean;
};

type Page = { readonly next?: string | number | null };

export function list<Row>(
  pattern: string,
  { columns, none, isBare, ...more }: List<Row>,
): Runnable {
  const rowsOf = (page: Page) => Object.values<unknown>(page).find(Array.isArray) ?? [];
  const describe = (page: Page) => describeRows(columns, rowsOf(page), none);
  const select = isBare && { select: rowsOf };
  return request(pattern, { ...more, ...select, describe, note: adviseNext });
}

export function describeRows<Row>(columns: Columns<Row>, rows: readonly Row[], none: string) {
  return rows.length === 0 ? none : renderTable(columns, rows);
}

export function adviseNext({ next }: Page): string | null {
  return next == null ? null : `There are more: the same command with --after ${next}`;
}

/** Values as pairs, and below them each object and list of rows under its name. */
export function describeAnswer(answer: object): string {
  if (Array.isArray(answer)) return renderTable(Object.keys(answer[0]), answer);
  const isPart = ([, value]: [string, unknown]) => [value].flat()[0] instanceof Object;
  const entries = Object.entries(answer);
  const pairs = entries.filter((entry) => !isPart(entry));
  const parts = entries.filter(isPart).map(([name, part]) => `${name}:\n${describeAnswer(part)}`);
  return [pairs.length > 0 ? renderPairs(pairs) : [], parts].flat().join('\n\n');
}

export function exporting(
  pattern: string,
  given: readonly OptionName[],
  describe: (words: readonly string[]) => string,
): Runnable {
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

function continueList(begun: string, items: readonly string[]): readonly string[] {
  const chosen = begun.split(',').slice(0, -1);
  const free = items.filter((item) => !chosen.includes(item));
  return free.map((item) => [...chosen, item].join(','));
}

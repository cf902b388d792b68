import { reasonOf } from '../../server/startup-error.ts';
import type { Options } from './options.ts';

type Cell = string | number | boolean | null | undefined | readonly string[];
export type Columns<Row> = readonly (
  | (keyof Row & string)
  | readonly [head: string, cell: (keyof Row & string) | ((row: Row) => Cell)]
)[];

export function print({ json }: Options, value: unknown, text: string): void {
  console.log(json ? JSON.stringify(value, null, 2) : text);
}

export function say({ json }: Options, sentence: string | null): void {
  if (!json && sentence !== null) console.error(sentence);
}

export function renderTable<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  return align(
    columns.map(headOf),
    rows.map((row) => columns.map((column) => cellOf(column, row))),
  );
}

/** Leaves out what is null. */
export function renderSheet<Row>(columns: Columns<Row>, row: Row): string {
  const pairs = columns.map((column) => [headOf(column), cellOf(column, row)] as const);
  return renderPairs(pairs.filter(([, cell]) => cell != null));
}

export function renderPairs(
  pairs: readonly (readonly [string, Cell])[],
  head: readonly string[] = ['What', 'Value'],
): string {
  return align(head, pairs);
}

/** Notes and addresses are foreign text: control characters would reach the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}

export function oneLine(text: string | null): string {
  return printable((text ?? '').trim().replace(/\s+/g, ' '));
}

/** Ends the process, quietly when the reader of a pipe has gone, as after `| head -1`. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit();
      console.error(`The output was not written: ${reasonOf(error)}.`);
      process.exit(1);
    });
}

function headOf<Row>(column: Columns<Row>[number]): string {
  if (typeof column !== 'string') return column[0];
  const words = column.replace(/_at$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function cellOf<Row>(column: Columns<Row>[number], row: Row): Cell {
  const cell = typeof column === 'string' ? column : column[1];
  return typeof cell === 'function' ? cell(row) : (row[cell] as Cell);
}

function align(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const columns = heads.map((head, index) => {
    const cells = rows.map((row) => row[index] ?? '');
    const texts = [head, ...cells.map((cell) => printable([cell].flat().join(' ')))];
    const width = Math.max(...texts.map((text) => text.length));
    const isNumeric = rows.length > 0 && cells.every((cell) => typeof cell === 'number');
    return texts.map((text) => (isNumeric ? text.padStart(width) : text.padEnd(width)));
  });
  const lines = [heads, ...rows].map((_, line) => columns.map((texts) => texts[line]).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
}

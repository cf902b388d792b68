import { writeAmount } from '../../contract/operator/drop/price-rules.ts';
import { reasonOf } from '../../server/startup-error.ts';
import type { Values } from './program.ts';

type Row = Readonly<Record<string, unknown>>;

export function print({ json }: Values, value: unknown, text: string): void {
  console.log(json ? JSON.stringify(value, null, 2) : printable(text));
}

export function say({ json }: Values, sentence: string | null): void {
  if (!json && sentence !== null) console.error(printable(sentence));
}

/**
 * Rows as a table; an object as pairs without those that are empty, and below them its texts,
 * objects and rows by name. It `shows` paths with blanks between.
 */
export function describe(value: unknown, shows?: string): string {
  if (!(value instanceof Object)) return String(value);
  if (Array.isArray(value)) return describeRows(value, shows);
  const entries = (shows?.split(' ') ?? Object.keys(value))
    .map((path) => [headOf(path), valueAt(value, path)] as const)
    .filter(([, part]) => textOf(part) !== '');
  const pairs = entries.filter(([, part]) => !isPart(part));
  const parts = entries.filter(([, part]) => isPart(part));
  const columns = [pairs.map(([name]) => name), pairs.map(([, part]) => part)];
  return [
    ...(pairs.length > 0 ? [align(['What', 'Value'], columns)] : []),
    ...parts.map(([name, part]) => `${name}:\n${describe(part)}`),
  ].join('\n\n');
}

export function describeList(name: string, rows: readonly object[], shows?: string): string {
  return rows.length === 0 ? `There are no ${name}.` : describe(rows, shows);
}

function describeRows(rows: readonly object[], shows?: string): string {
  const paths = shows?.split(' ') ?? Object.keys(rows[0] ?? {});
  const columns = paths.map((path) => rows.map((row) => valueAt(row, path)));
  return align(paths.map(headOf), columns);
}

export function oneLine(text: string): string {
  return printable(text.trim().replace(/\s+/g, ' '));
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

/** Notes and addresses are foreign text: control characters would reach the terminal. */
function printable(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, '?');
}

function isPart(value: unknown): boolean {
  return [value].flat()[0] instanceof Object || String(value).includes('\n');
}

/** A person is told by an address or a name, which is none of what the head says. */
function headOf(path: string): string {
  const words = path
    .replace(/_at$|\.(email|name)$|_cents(?=_|$)/g, '')
    .replace(/^at$/, 'time')
    .replace(/^cents/, 'amount')
    .replace(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function valueAt(row: object, path: string): unknown {
  const value = path.split('.').reduce<unknown>((part, name) => (part as Row | null)?.[name], row);
  const isMoney = typeof value === 'number' && /(^|_)cents(_|$)/.test(path);
  return isMoney ? writeAmount(value, String((row as Row).currency ?? 'EUR')) : value;
}

function textOf(value: unknown): string {
  if (value == null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(textOf).join(value[0] instanceof Object ? ', ' : ' ');
  if (typeof value !== 'object') return oneLine(String(value));
  if ('email' in value) return textOf(value.email);
  const names = Object.keys(value).filter((name) => textOf((value as Row)[name]) !== '');
  return names
    .map((name) => `${headOf(name).toLowerCase()} ${textOf(valueAt(value, name))}`)
    .join(' ');
}

/** Columns of cells, with numbers at the right. */
function align(heads: readonly string[], columns: readonly (readonly unknown[])[]): string {
  const aligned = columns.map((cells, index) => {
    const texts = [heads[index] ?? '', ...cells.map(textOf)];
    const width = Math.max(...texts.map((text) => text.length));
    const isNumeric = texts.slice(1).every((text) => /^-?\d*(\.\d+)?$/.test(text));
    return texts.map((text) => (isNumeric ? text.padStart(width) : text.padEnd(width)));
  });
  return (aligned[0] ?? [])
    .map((_, line) => aligned.map((texts) => texts[line]).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

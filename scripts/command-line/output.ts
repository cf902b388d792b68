import { reasonOf } from '../../server/startup-error.ts';
import type { Values } from './program.ts';

type Row = Readonly<Record<string, unknown>>;

export function print({ json }: Values, value: unknown, text: string): void {
  console.log(json ? JSON.stringify(value, null, 2) : text);
}

export function say({ json }: Values, sentence: string | null): void {
  if (!json && sentence !== null) console.error(sentence);
}

/** Columns are paths with blanks between; `By:actor.name` has another head than its path. */
export function describeRows(rows: readonly object[], columns?: string): string {
  const all = columns ?? Object.keys(rows[0] ?? {}).join(' ');
  const cells = all.split(' ').map((column) => {
    const path = column.replace(/^.*:/, '');
    return rows.map((row) => valueAt(row, path));
  });
  const heads = all.split(' ').map((column) => headOf(column.replace(/:.*/, '')));
  return align(heads, cells);
}

/** Values as pairs without those that are empty, and below them objects and rows by name. */
export function describe(answer: object, columns?: string): string {
  if (Array.isArray(answer)) return describeRows(answer);
  const paths = columns?.split(' ') ?? Object.keys(answer);
  const entries = paths
    .map(
      (path) =>
        [headOf(path.replace(/:.*/, '')), valueAt(answer, path.replace(/^.*:/, ''))] as const,
    )
    .filter(([, value]) => textOf(value) !== '');
  const isPart = ([, value]: readonly [string, unknown]) => [value].flat()[0] instanceof Object;
  const pairs = entries.filter((entry) => !isPart(entry));
  const [names, values] = [pairs.map(([name]) => name), pairs.map(([, value]) => value)];
  const parts = entries
    .filter(isPart)
    .map(([name, part]) => `${name}:\n${describe(part as object)}`);
  return [pairs.length > 0 ? align(['What', 'Value'], [names, values]) : [], parts]
    .flat()
    .join('\n\n');
}

/** Notes and addresses are foreign text: control characters would reach the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
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

function headOf(name: string): string {
  const words = name.replace(/_at$/, '').replace(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function valueAt(row: object, path: string): unknown {
  const value = path.split('.').reduce<unknown>((part, name) => (part as Row | null)?.[name], row);
  return path.startsWith('cost_cents') && typeof value === 'number'
    ? (value / 100).toFixed(2)
    : value;
}

function textOf(value: unknown): string {
  if (value == null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(textOf).join(value[0] instanceof Object ? ', ' : ' ');
  if (typeof value !== 'object') return oneLine(String(value));
  if ('email' in value) return textOf(value.email);
  const entries = Object.entries(value).filter(([, part]) => part !== null && part !== '');
  return entries.map(([name, part]) => `${name.replaceAll('_', ' ')} ${textOf(part)}`).join(' ');
}

/** Columns of cells, with numbers at the right. */
function align(heads: readonly string[], columns: readonly (readonly unknown[])[]): string {
  const aligned = columns.map((cells, index) => {
    const texts = [heads[index] ?? '', ...cells.map(textOf)];
    const width = Math.max(...texts.map((text) => text.length));
    const isNumeric = cells.length > 0 && cells.every((cell) => typeof cell === 'number');
    return texts.map((text) => (isNumeric ? text.padStart(width) : text.padEnd(width)));
  });
  const [first = []] = aligned;
  return first
    .map((_, line) =>
      aligned
        .map((texts) => texts[line])
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

import type { Brand } from '../../../brand/brand-shape.ts';
import type { MaskSize } from '../../../contract/operator/masks.ts';
import { conflict, invalidField, type Problem } from '../../problem.ts';

type Edition = Pick<Brand, 'sizes' | 'maskCount'>;

export function findSize(sizes: readonly MaskSize[], name: string): MaskSize {
  const found = sizes.find((size) => size.name === name);
  if (found === undefined) throw invalidField(`There is no size ${JSON.stringify(name)}.`);
  return found;
}

export function heldFor({ name, held }: Pick<MaskSize, 'name' | 'held'>): Problem {
  return conflict(
    `${held} of size ${name} are announced for the drop, and not offered yet: amend the ` +
      'announced numbers first, which is public.',
  );
}

export function assertSizeName(name: string, text: string): void {
  if (text !== text.trim() || !/^\P{C}+$/u.test(text))
    throw invalidField(`The ${name} must be printable characters without a space at either end.`);
}

export function sumHeld(sizes: readonly Pick<MaskSize, 'held'>[]): number {
  return sizes.reduce((sum, { held }) => sum + held, 0);
}

export function sumStock(sizes: readonly Pick<MaskSize, 'stock'>[]): number {
  return sizes.reduce((sum, { stock }) => sum + stock, 0);
}

/** The stock less what is allocated or offered, as far as the site promises (decision 0009). */
export function countAvailable(
  sizes: readonly Pick<MaskSize, 'stock' | 'allocated' | 'offered'>[],
  maskCount: number,
): number {
  const taken = sizes.reduce((sum, { allocated, offered }) => sum + allocated + offered, 0);
  return Math.max(0, Math.min(sumStock(sizes), maskCount) - taken);
}

/** None while the line has a size that the brand file lacks, which may be renamed. */
export function newSizes(
  { sizes, maskCount }: Edition,
  line: readonly MaskSize[],
): { name: string; stock: number }[] {
  if (line.some((size) => !has(sizes, size))) return [];
  let left = maskCount - sumStock(line);
  return sizes
    .filter((size) => !has(line, size))
    .map(({ name, stock }) => {
      const given = Math.max(0, Math.min(stock, left));
      left -= given;
      return { name, stock: given };
    });
}

/** Names the commands that end the difference, in order. Null without one. */
export function describeDifference({ sizes }: Edition, line: readonly MaskSize[]): string | null {
  const newNames = sizes.filter((size) => !has(line, size)).map(({ name }) => name);
  const strangers = line.filter((size) => !has(sizes, size));
  const renamed = new Map(strangers.map(({ name }, index) => [name, newNames[index]]));
  // A stock can rise only as far as the site promises, so stocks that fall come first.
  const restocked = line
    .map(({ name, stock }) => ({ name: renamed.get(name) ?? name, stock }))
    .map((size) => ({ ...size, wanted: sizes.find(({ name }) => name === size.name)?.stock }))
    .filter((size) => size.wanted !== undefined && size.wanted !== size.stock)
    .map(({ name, stock, wanted = stock }) => ({ name, stock, wanted }))
    .sort((a, b) => a.wanted - a.stock - (b.wanted - b.stock))
    .map(({ name, stock, wanted }) => {
      const mend = command('stock', name, String(wanted));
      return `of ${name} it has ${stock} and brand.ts ${wanted} (${mend})`;
    });
  const added = newNames
    .slice(strangers.length)
    .map((name) => `it gets the size ${name} at the next start`);
  const clauses = [
    ...[...renamed].map((names) => describeStranger(...names)),
    ...restocked,
    ...added,
  ];
  return clauses.length === 0
    ? null
    : `The line differs from brand/brand.ts: ${clauses.join('; ')}.`;
}

function describeStranger(name: string, newName: string | undefined): string {
  return newName === undefined
    ? `it has the size ${name}, which brand.ts does not (${command('remove-size', name)})`
    : `it has the size ${name} and not ${newName} (${command('rename-size', name, newName)})`;
}

function command(...words: readonly string[]): string {
  return ['./waitlist', ...words.map(shellWord)].join(' ');
}

function shellWord(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function has(sizes: readonly { readonly name: string }[], { name }: { name: string }): boolean {
  return sizes.some((size) => size.name === name);
}

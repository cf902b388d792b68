/** Words of commands that are not the value of their field itself, in a path or in an input. */
import type { TObject } from 'typebox';
import { DROP_FILE_NAMES } from '../../contract/operator/drop/drop-files.ts';
import type { Config } from '../../server/config.ts';
import type { Call } from '../command-line/command.ts';
import { labelOf, readFields, readNumber, toKebab, UsageError } from '../command-line/values.ts';
import { readGivenFile } from '../command-line/working-folder.ts';
import { OperatorError } from './call-operator.ts';
import { findMember, findOperator, findSizeName } from './find.ts';

/** A call holds 16 KB, and some of that is not codes. */
const MAX_BYTES = 10_000;
const MAX_CODES = 200;

type Word = {
  /** The name of the field stands here by default. */
  readonly label?: string;
  /** The value of the field. Throws UsageError, or OperatorError. */
  readonly read: (text: string, config: Config) => unknown;
};

const findMemberId = async (text: string, config: Config) => (await findMember(config, text)).id;
const MEMBER: Word = { label: '<id|address|code>', read: findMemberId };
const NUMBER: Word = { read: (text) => readNumber(text, 1, 999_999_999) };
const LINES: Word = { label: '<file>', read: readCodes };

const WORDS: Readonly<Record<string, Word>> = {
  memberId: MEMBER,
  member_id: MEMBER,
  network_of: MEMBER,
  member_ids: { ...MEMBER, read: async (...word) => [await findMemberId(...word)] },
  operatorId: {
    label: '<address>',
    read: async (text, config) => (await findOperator(config, text)).id,
  },
  tier: { label: '<tier>', read: (text) => readNumber(text, 1, 100) },
  campaign: NUMBER,
  change: NUMBER,
  file: { label: DROP_FILE_NAMES.join('|'), read: (text) => text },
  size: { read: (text, config) => findSizeName(config, text) },
  minutes: { label: '<hours>', read: readHours },
  cents_per_unit: { label: '<cost of one>', read: readCents },
  codes: LINES,
  parcels: LINES,
};

export function labelOfField(schema: TObject, field: string): string {
  return WORDS[field]?.label ?? labelOf(schema, field);
}

/** The input of a call, by names in kebab-case. What needs no call of the server is read first. */
export async function readInput(
  schema: TObject,
  texts: Readonly<Record<string, string | undefined>>,
  config: Config,
): Promise<Record<string, unknown>> {
  const own = Object.entries(WORDS).filter(([field]) => Object.hasOwn(schema.properties, field));
  const others = { ...texts, ...Object.fromEntries(own.map(([field]) => [toKebab(field)])) };
  const input: Record<string, unknown> = readFields(schema, others);
  for (const [field, { read }] of own) {
    const text = texts[toKebab(field)];
    if (text !== undefined) input[field] = await read(text, config);
  }
  return input;
}

export function usageOfPath(pattern: string): string {
  const labels = parametersOf(pattern).map((name) => {
    const usual = name.endsWith('Id') ? '<id>' : `<${name}>`;
    return WORDS[name]?.label ?? usual;
  });
  return labels.join(' ');
}

export function parametersOf(pattern: string): readonly string[] {
  return Array.from(pattern.matchAll(/:(\w+)/g), ([, name = '']) => name);
}

export async function pathOfWords(pattern: string, { words, config }: Call): Promise<string> {
  let path = pattern;
  for (const [index, name] of parametersOf(pattern).entries()) {
    const word = words[index] ?? '';
    const value = String((await WORDS[name]?.read(word, config)) ?? word);
    path = path.replace(`:${name}`, encodeURIComponent(value));
  }
  return path;
}

function readHours(hours: string): number {
  const minutes = /^\d{1,3}(\.\d{1,2})?$/.test(hours) ? Math.round(Number(hours) * 60) : 0;
  if (minutes > 0) return minutes;
  throw new UsageError(`${hours} is not a number of hours from 0.01 to 999.99.`);
}

function readCents(cost: string): number {
  if (/^\d{1,6}(\.\d\d)?$/.test(cost)) return Math.round(Number(cost) * 100);
  throw new UsageError(`${cost} is not what one costs, such as 12 or 12.50.`);
}

async function readCodes(path: string): Promise<readonly string[]> {
  const text = await readGivenFile(path);
  const codes = text.split(/\r?\n/).flatMap((line) => line.trim() || []);
  if (codes.length === 0) throw new OperatorError(`${path} has no codes.`);
  if (new Set(codes).size < codes.length)
    throw new OperatorError(`${path} has a code twice: nothing was changed.`);
  return codes;
}

export function inParts(codes: readonly string[]): readonly string[][] {
  const parts: string[][] = [];
  let bytes = MAX_BYTES;
  for (const code of codes) {
    const size = Buffer.byteLength(code) + 3;
    bytes += size;
    if (bytes > MAX_BYTES || (parts.at(-1)?.length ?? 0) >= MAX_CODES) {
      parts.push([]);
      bytes = size;
    }
    parts.at(-1)?.push(code);
  }
  return parts;
}

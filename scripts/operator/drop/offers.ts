/** Offers and passes from the command line. */
import { readFile } from 'node:fs/promises';
import type { OfferFigures } from '../../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import { type Options, UsageError } from '../../command-line/command.ts';
import { print } from '../../command-line/output.ts';
import type { Verbs } from '../../command-line/verbs.ts';
import { callOperator, OperatorError } from '../call-operator.ts';
import { assertCanGiveReason, makeChange, readReason } from '../changes/make-change.ts';
import { findSizeName } from '../masks.ts';
import { renderTable } from '../table.ts';
import { ownTimeZone, takeStep } from './schedule.ts';

type Words = readonly string[];

export const offerVerbs: Verbs = {
  offers: { usage: '', run: showOffers },
  offer: { usage: '<hours>', run: startOffers },
  'import-codes': { usage: '<file>', run: importCodes },
  'make-codes': { usage: '<how many>', run: makeCodes },
  'cancel-pass': { usage: '<code>', run: (...call) => changePass('cancel-pass', ...call) },
  'tell-others': {
    usage: '',
    run: (config, _words, options) =>
      makeChange(config, { kind: 'tell-others', input: {} }, options),
  },
  'reissue-pass': { usage: '<code>', run: (...call) => changePass('reissue-pass', ...call) },
};

export const OFFER_OPTIONS = ['quiet', 'time-zone', 'size'] as const;

/** A call holds 16 KB, and some of that is not codes. */
const MAX_BYTES = 10_000;
const MAX_CODES = 200;

async function showOffers(config: Config, _words: Words, { json }: Options): Promise<void> {
  const figures = await callOperator<OfferFigures>(config, { path: operatorPaths.offers });
  print(json, figures, () =>
    renderTable(
      ['What', 'Value'],
      Object.entries(figures).map(([name, value]) => [name.replaceAll('_', ' '), value]),
    ),
  );
}

async function startOffers(config: Config, [hours = '']: Words, options: Options): Promise<void> {
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(hours)) throw new UsageError(`${hours} is not a number.`);
  const [, from, until] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(options.quiet ?? '') ?? [];
  if (options.quiet !== undefined && until === undefined)
    throw new UsageError('--quiet needs two times, such as 22:00-08:00.');
  const input = {
    minutes: Math.round(Number(hours) * 60),
    time_zone: options['time-zone'] ?? ownTimeZone(),
    ...(from !== undefined && until !== undefined && { quiet_from: from, quiet_until: until }),
  };
  await takeStep(config, { kind: 'start-offers', input }, options);
}

async function importCodes(config: Config, [path = '']: Words, options: Options): Promise<void> {
  const size = options.size === undefined ? {} : { size: await findSizeName(config, options.size) };
  await importCodeFile(config, path, { purpose: size, options });
}

type CodeFile = {
  readonly purpose: { readonly size?: string; readonly tier?: number };
  readonly options: Options;
};

/**
 * A file with one code per line, for passes or for the reward of a tier. A long list takes several
 * changes, each of which can be undone.
 */
export async function importCodeFile(
  config: Config,
  path: string,
  { purpose, options }: CodeFile,
): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new OperatorError(`There is no file ${path}.`);
  });
  const codes = text.split(/\r?\n/).flatMap((line) => line.trim() || []);
  if (codes.length === 0) throw new OperatorError(`${path} has no codes.`);
  if (new Set(codes).size < codes.length)
    throw new OperatorError(`${path} has a code twice: nothing was imported.`);
  if (!options.preview) assertCanGiveReason(options.reason);
  const reason = options.preview ? undefined : await readReason(options.reason);
  for (const part of inParts(codes))
    await makeChange(
      config,
      { kind: 'import-codes', input: { codes: part, ...purpose } },
      { ...options, ...(reason !== undefined && { reason }) },
    );
}

async function makeCodes(config: Config, [count = '']: Words, options: Options): Promise<void> {
  if (!/^[1-9]\d{0,3}$/.test(count)) throw new UsageError(`${count} is not a number up to 1000.`);
  const size = options.size === undefined ? {} : { size: await findSizeName(config, options.size) };
  await makeChange(
    config,
    { kind: 'make-codes', input: { count: Number(count), ...size } },
    options,
  );
}

function inParts(codes: readonly string[]): string[][] {
  const parts: string[][] = [];
  let bytes = MAX_BYTES;
  for (const code of codes) {
    bytes += Buffer.byteLength(code) + 3;
    if (bytes > MAX_BYTES || (parts.at(-1)?.length ?? 0) >= MAX_CODES) {
      parts.push([]);
      bytes = Buffer.byteLength(code) + 3;
    }
    parts.at(-1)?.push(code);
  }
  return parts;
}

async function changePass(
  kind: 'cancel-pass' | 'reissue-pass',
  config: Config,
  [code = '']: Words,
  options: Options,
): Promise<void> {
  await makeChange(config, { kind, input: { code } }, options);
}

import { pipeline } from 'node:stream';
import { setImmediate as letRequestsIn } from 'node:timers/promises';
import { CsvError, type Info, type Options, parse } from 'csv-parse';
import { invalidField, Problem } from '../problem.ts';
import { codeOf } from '../startup-error.ts';
import { withoutGuard } from './csv-rules.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh';
type Bytes = AsyncIterable<Uint8Array>;

export type CsvFormat = { readonly encoding: string; readonly separator: string };

export type CsvRecord = {
  readonly line: number;
  readonly cells: readonly string[];
};

const BEGIN_BYTES = 256 * 1024;
/** The code of a decoder's error. */
const NO_TEXT = 'ERR_ENCODING_INVALID_ENCODED_DATA';
const ZEROS_OF_UTF16 = 0.4;
const ZEROS_SOUGHT_IN = 4096;
/** Bytes that Windows-1252 leaves unused are decoded as such, too. */
const CONTROL = /[^\P{Cc}\t\n\f\r\x7f]/u;
/** Letters of German and Spanish, by which Windows and the Mac of old are told apart. */
const LETTERS = /[äöüßáéíóúñ]/g;
const WORKBOOK_START = [0x50, 0x4b, 0x03, 0x04];
const SEPARATORS = [',', ';', '\t'] as const;
/** Excel reads the separator from such a first line, which is no record, and may widen it. */
const SEPARATOR_LINE = /^"?sep=(.)"?\1*[\r\n]/i;
const RECORDS_TRIED = 50;
const MAX_RECORD_BYTES = 64 * 1024;
const MAX_COLUMNS = 200;
/** Parsed at once: requests are served between two slices, also of a file of empty rows. */
const SLICE_BYTES = 16 * 1024;

/**
 * Reads with the first likely encoding in which the file is text, to its end.
 * Throws Problem invalid_field for a file that is no CSV.
 */
export async function readInFormat<T>(
  open: () => Bytes,
  read: (format: CsvFormat) => Promise<T>,
): Promise<T> {
  const begin = await readBegin(open());
  if (WORKBOOK_START.every((byte, index) => begin[index] === byte))
    throw invalidField(
      'This is a workbook or an archive. Save the list as CSV, and import that file.',
    );
  const marked = readMark(begin) ?? readZeros(begin.subarray(0, ZEROS_SOUGHT_IN));
  const likely = marked === null ? (['utf-8', ...olderEncodings(begin)] as const) : [marked];
  for (const encoding of likely)
    try {
      const named = SEPARATOR_LINE.exec(new TextDecoder(encoding).decode(begin))?.[1];
      return await read({ encoding, separator: named ?? (await detectSeparator(open, encoding)) });
    } catch (error) {
      if (codeOf(error) !== NO_TEXT) throw error;
    }
  throw invalidField(
    marked === null
      ? 'The text is neither UTF-8, UTF-16, Windows-1252 nor Mac Roman. Save it as CSV in UTF-8.'
      : `The file begins as ${marked}, and is not to its end.`,
  );
}

export async function* readCsv(
  bytes: Bytes,
  { encoding, separator }: CsvFormat,
): AsyncGenerator<CsvRecord> {
  let next = 1;
  const options: Options = {
    delimiter: separator,
    record_delimiter: '\n',
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_BYTES,
    info: true,
    // When the parser fails, it drops records that were not yet taken.
    on_record: (record, { lines }) => {
      next = lines + 1;
      return record;
    },
  };
  // The loop below meets every error.
  const parser = pipeline(decodeSlices(bytes, encoding), parse(options), () => {});
  type Parsed = { readonly record: readonly string[]; readonly info: Info };
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      const line = info.lines - breaks;
      if (SEPARATOR_LINE.test(`${record.join(separator)}\n`) && line === 1) continue;
      if (record.length > MAX_COLUMNS)
        throw invalidField(
          `Line ${line} has ${record.length} columns: a list has ${MAX_COLUMNS} at most.`,
        );
      yield { line, cells: record.map(withoutGuard) };
    }
  } catch (error) {
    throw error instanceof CsvError ? explain(error, next) : error;
  }
}

async function detectSeparator(open: () => Bytes, encoding: string): Promise<string> {
  let [best, most]: [string | null, number] = [null, -1];
  let refusal: unknown = null;
  for (const separator of SEPARATORS) {
    try {
      const widths: number[] = [];
      for await (const { cells } of readCsv(open(), { encoding, separator }))
        if (widths.push(cells.length) === RECORDS_TRIED) break;
      const [width = 0] = widths;
      const score = width < 2 ? 0 : widths.filter((one) => one === width).length * 1000 + width;
      if (score > most) [best, most] = [separator, score];
    } catch (error) {
      if (codeOf(error) === NO_TEXT) throw error;
      refusal ??= error;
    }
  }
  // A single column may be due to another separator, by which the file is refused.
  if (best === null || (most === 0 && refusal !== null)) throw refusal;
  return best;
}

/** `line` follows the last whole record; the parser is ahead of it. */
function explain(error: CsvError, line: number): Problem {
  const sentences: Readonly<Record<string, string>> = {
    CSV_QUOTE_NOT_CLOSED: `The quote that opens in line ${line} or after it is never closed.`,
    CSV_MAX_RECORD_SIZE:
      `Line ${line} is longer than ${MAX_RECORD_BYTES / 1024} KB. ` +
      'Perhaps a quote in it is never closed.',
    CSV_INVALID_CLOSING_QUOTE: `In line ${line}, text follows the closing quote of a cell.`,
    INVALID_OPENING_QUOTE: `In line ${line}, a quote stands inside a cell that has no quotes.`,
  };
  const sentence = sentences[error.code] ?? `Line ${line} is no CSV.`;
  return new Problem('invalid_field', sentence, { cause: error });
}

/** Nearly all bytes are text in both: the one that has more letters is more likely. */
function olderEncodings(begin: Uint8Array): readonly Encoding[] {
  const lettersIn = (encoding: Encoding) =>
    new TextDecoder(encoding).decode(begin).match(LETTERS)?.length ?? 0;
  const isMac = lettersIn('macintosh') > lettersIn('windows-1252');
  return isMac ? ['macintosh'] : ['windows-1252', 'macintosh'];
}

async function readBegin(bytes: Bytes): Promise<Uint8Array> {
  let begin = Buffer.alloc(0);
  for await (const chunk of bytes) {
    begin = Buffer.concat([begin, chunk.subarray(0, BEGIN_BYTES)]);
    if (begin.length >= BEGIN_BYTES) break;
  }
  return begin.subarray(0, BEGIN_BYTES);
}

function readMark([first, second, third]: Uint8Array): Encoding | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

function readZeros(begin: Uint8Array): Encoding | null {
  const isZeros = (offset: number) => {
    const half = begin.filter((_byte, index) => index % 2 === offset);
    return half.filter((byte) => byte === 0).length > ZEROS_OF_UTF16 * half.length;
  };
  const [first, second] = [isZeros(0), isZeros(1)];
  if (first === second) return null;
  return second ? 'utf-16le' : 'utf-16be';
}

/** Text in which every line ends with a newline. */
async function* decodeSlices(bytes: Bytes, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const isOlder = encoding === 'windows-1252' || encoding === 'macintosh';
  let held = '';
  for await (const chunk of bytes)
    for (let from = 0; from < chunk.length; from += SLICE_BYTES) {
      const slice = chunk.subarray(from, from + SLICE_BYTES);
      const text = held + decoder.decode(slice, { stream: true });
      if (isOlder && CONTROL.test(text))
        throw Object.assign(new TypeError(encoding), { code: NO_TEXT });
      // The other half of a CRLF may be in the next slice.
      held = text.endsWith('\r') ? '\r' : '';
      await letRequestsIn();
      yield text.slice(0, text.length - held.length).replaceAll(/\r\n?/g, '\n');
    }
  yield (held + decoder.decode()).replaceAll(/\r\n?/g, '\n');
}

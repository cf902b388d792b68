/** The records of a CSV file after RFC 4180, one at a time. */
import { Readable } from 'node:stream';
import { CsvError, type Info, type Options, parse } from 'csv-parse';
import { Problem } from '../problem.ts';

/** Bytes: a few columns of text. Longer ones are mostly a quote that is never closed. */
const MAX_RECORD_BYTES = 64 * 1024;
const MAX_COLUMNS = 200;

export type CsvRecord = {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
};

/**
 * `text` has "\n" for every line end. Throws Problem invalid_field, with the line, where the text
 * is no CSV: nothing after it could be trusted.
 */
export async function* readRecords(
  text: AsyncIterable<string> | Iterable<string>,
  separator: string,
  { maxRecords }: { maxRecords?: number } = {},
): AsyncGenerator<CsvRecord> {
  let next = 1;
  const options: Options = {
    delimiter: separator,
    record_delimiter: '\n',
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_BYTES,
    info: true,
    // At once: when the parser fails, records that nobody has taken yet are lost.
    on_record: (record, { lines }) => {
      next = lines + 1;
      return record;
    },
    ...(maxRecords !== undefined && { to: maxRecords }),
  };
  const source = Readable.from(text);
  const parser = source.on('error', (error) => parser.destroy(error)).pipe(parse(options));
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      const line = info.lines - breaks;
      if (record.length > MAX_COLUMNS)
        throw new Problem(
          'invalid_field',
          `Line ${line} has ${record.length} columns: a list has ${MAX_COLUMNS} at most.`,
        );
      yield { line, cells: record };
    }
  } catch (error) {
    throw error instanceof CsvError ? explain(error, next) : error;
  } finally {
    source.destroy();
    parser.destroy();
  }
}

type Parsed = { readonly record: readonly string[]; readonly info: Info };

/** `line`: after the last whole record. Quoted text may span lines, so the parser is further on. */
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

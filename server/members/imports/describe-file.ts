/** What a file is like: separator, header, columns with samples. */

import { decodeLines, detectEncoding, type Encoding } from '../../csv/encoding.ts';
import { type CsvRecord, readRecords } from '../../csv/records.ts';
import { Problem } from '../../problem.ts';
import { type ColumnSuggestion, recogniseTool, suggestFields } from './column-rules.ts';

export type FileFormat = {
  readonly encoding: Encoding;
  readonly separator: string;
  readonly hasHeader: boolean;
  readonly tool: string | null;
  readonly columns: readonly (ColumnSuggestion & { readonly samples: readonly string[] })[];
};

const SEPARATORS = [',', ';', '\t'] as const;
/** Characters from which separator and samples are taken. */
const BEGIN_LENGTH = 256 * 1024;
const RECORDS_READ = 50;
const SAMPLES = 3;
const SAMPLE_LENGTH = 80;

/** Throws Problem invalid_field when the file is no list that can be read. */
export async function describeFile(open: () => AsyncIterable<Uint8Array>): Promise<FileFormat> {
  const encoding = await detectEncoding(open);
  const begin = await readBegin(decodeLines(open(), encoding));
  const { separator, records } = await findSeparator(begin);
  const [first, ...others] = records;
  if (first === undefined) throw new Problem('invalid_field', 'There is nothing in this file.');
  const hasHeader = !first.cells.some((cell) => cell.includes('@'));
  const rows = hasHeader ? others : records;
  if (rows.length === 0) throw new Problem('invalid_field', 'The file has a header and no rows.');
  const names = first.cells.map((cell, index) => (hasHeader ? clip(cell) : `Column ${index + 1}`));
  const columns = suggestFields(
    names,
    rows.map(({ cells }) => cells),
  ).map((column, index) => ({
    ...column,
    samples: rows
      .map(({ cells }) => clip(cells[index] ?? ''))
      .filter((cell) => cell !== '')
      .slice(0, SAMPLES),
  }));
  return { encoding, separator, hasHeader, tool: hasHeader ? recogniseTool(names) : null, columns };
}

/** Up to the last whole line. */
async function readBegin(text: AsyncIterable<string>): Promise<string> {
  let begin = '';
  for await (const part of text) {
    begin += part;
    if (begin.length < BEGIN_LENGTH) continue;
    const end = begin.lastIndexOf('\n');
    return end < 0 ? begin : begin.slice(0, end + 1);
  }
  return begin;
}

type Tried = { readonly separator: string; readonly records: CsvRecord[]; readonly score: number };

/** The separator by which most rows have as many cells as the first, and that is more than one. */
async function findSeparator(begin: string): Promise<Tried> {
  let best: Tried | null = null;
  let refusal: unknown = null;
  for (const separator of SEPARATORS) {
    try {
      const records: CsvRecord[] = [];
      for await (const record of readRecords([begin], separator, { maxRecords: RECORDS_READ }))
        records.push(record);
      const width = records[0]?.cells.length ?? 0;
      const alike = records.filter(({ cells }) => cells.length === width).length;
      const score = width < 2 ? 0 : alike * 1000 + width;
      if (best === null || score > best.score) best = { separator, records, score };
    } catch (error) {
      refusal ??= error;
    }
  }
  // One column for want of the separator by which the file is refused.
  if (best === null || (best.score === 0 && refusal !== null)) throw refusal;
  return best;
}

/** For people to see: without controls. */
function clip(text: string): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, SAMPLE_LENGTH)
    .toWellFormed();
}

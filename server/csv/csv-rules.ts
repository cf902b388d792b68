/** A formula in some spreadsheets. A guarded cell fits, too, so that `withoutGuard` is exact. */
const FORMULA_START = /^'*[\s\0]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/u;

/** No formula: a label would show its guard. */
const PHONE_NUMBER = /^\+\d(?: ?\d){4,19}$/;

/** Without this mark, Excel takes the text for another encoding. */
const UTF_8_MARK = '\uFEFF';

const CHUNK_CHARACTERS = 64 * 1024;

export type Cell = string | number | boolean | null;

type Separator = ',' | ';';

export function csvHeader(columns: readonly string[], separator?: Separator): string {
  return UTF_8_MARK + csvLine(columns, separator);
}

export function csvLine(cells: readonly Cell[], separator: Separator = ','): string {
  return `${cells.map((cell) => csvCell(cell, separator)).join(separator)}\r\n`;
}

export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA_START.test(cell) ? cell.slice(1) : cell;
}

export async function* joinChunks(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function csvCell(cell: Cell, separator: Separator): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const isFormula = FORMULA_START.test(cell) && !PHONE_NUMBER.test(cell);
  const harmless = isFormula ? `'${cell}` : cell;
  const isQuoted = harmless.includes(separator) || /["\r\n]/.test(harmless);
  return isQuoted ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** CSV after RFC 4180, safe to open in a spreadsheet. */

/** Spreadsheets take these for a formula; some accept the full-width characters too. */
const FORMULA_START = /^[\s\0]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/u;

const CHUNK_CHARACTERS = 64 * 1024;

export type Cell = string | number | boolean | null;

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
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

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const harmless = FORMULA_START.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** CSV after RFC 4180, safe to open in a spreadsheet. */

/** What spreadsheets take for a formula; some accept the full-width characters too. */
const FORMULA_START = /^[\s\0]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/u;

export type Cell = string | number | boolean | null;

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const harmless = FORMULA_START.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Rows as aligned text: numbers to the right, text to the left. */
export function renderTable(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => String(row[index] ?? '').length)),
  );
  const isNumeric = columns.map(
    (_, index) => rows.length > 0 && rows.every((row) => typeof row[index] === 'number'),
  );
  const renderRow = (row: readonly (string | number)[]) =>
    row
      .map((cell, index) =>
        isNumeric[index]
          ? String(cell).padStart(widths[index] ?? 0)
          : printable(cell).padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [columns, ...rows].map(renderRow).join('\n');
}

/** Notes and addresses are foreign text: control characters would reach the terminal. */
export function printable(cell: string | number): string {
  return String(cell).replace(/\p{C}/gu, '?');
}

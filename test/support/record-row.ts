import { appendFileSync } from 'node:fs';

/** Keeps a row for a report, if scripts/record-tests.ts runs the tests. */
export function recordRow(table: string, cells: readonly string[]): void {
  const file = process.env.TESTS_RECORD;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ table, cells })}\n`);
}

/**
 * One statement with values, or any number without, which may then hold a whole transaction; answers the rows of all. What it leaves open
 * when it fails is rolled back.
 */
export type RunSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;

type Result = { readonly rows?: unknown[] };

/** As the drivers answer: one result for one statement, a list for several. */
export function rowsOf(result: Result | readonly Result[]): { rows: unknown[] } {
  return { rows: [result].flat().flatMap(({ rows }) => rows ?? []) };
}

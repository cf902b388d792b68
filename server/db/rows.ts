/** Tags that run a statement: `await all<Row>(kysely)`select …`` is its rows. */
import { type QueryExecutorProvider, sql } from 'kysely';

type Statement<Result> = (...template: Parameters<typeof sql>) => Promise<Result>;

export function run(executor: QueryExecutorProvider): Statement<void> {
  return async (...template) => {
    await sql(...template).execute(executor);
  };
}

/** How many rows were written. */
export function count(executor: QueryExecutorProvider): Statement<number> {
  return async (...template) =>
    Number((await sql(...template).execute(executor)).numAffectedRows ?? 0);
}

export function all<Row>(executor: QueryExecutorProvider): Statement<Row[]> {
  return async (...template) => (await sql<Row>(...template).execute(executor)).rows;
}

/** Null when there is none. */
export function first<Row>(executor: QueryExecutorProvider): Statement<Row | null> {
  return async (...template) => (await all<Row>(executor)(...template))[0] ?? null;
}

/** The row of a statement that always has one. */
export function only<Row>(executor: QueryExecutorProvider): Statement<Row> {
  return async (...template) => {
    const row = await first<Row>(executor)(...template);
    if (row === null) throw new Error('The database returned no row.');
    return row;
  };
}

/** The only column of the rows. */
export function column<Value>(executor: QueryExecutorProvider): Statement<Value[]> {
  return async (...template) =>
    (await all<Record<string, Value>>(executor)(...template)).flatMap(Object.values<Value>);
}

/** The only column of the only row. */
export function value<Value>(executor: QueryExecutorProvider): Statement<Value> {
  return async (...template) =>
    Object.values(await only<Record<string, Value>>(executor)(...template))[0] as Value;
}

/** The only column of the first row. Null when there is none. */
export function found<Value>(executor: QueryExecutorProvider): Statement<Value | null> {
  return async (...template) => (await column<Value>(executor)(...template))[0] ?? null;
}

/** Whether there is a row. */
export function some(executor: QueryExecutorProvider): Statement<boolean> {
  return async (...template) => (await first(executor)(...template)) !== null;
}

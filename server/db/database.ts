import type { Kysely } from 'kysely';
import type { Tables } from './schema/tables.ts';

/** One open database. The same SQL, column types and error codes on both engines. */
export type Database = {
  /**
   * On the embedded engine a transaction has the only connection. A query on this object from
   * within an open transaction would wait for itself: use the transaction.
   */
  readonly kysely: Kysely<Tables>;
  readonly engine: 'embedded' | 'postgres';
  /** For pg-boss, which has SQL of its own. */
  readonly runSql: RunSql;
  /** Resolves when the database answers; rejects when it does not within two seconds. */
  ping(): Promise<void>;
  /**
   * Hears what is announced on the channel: `onMessage` once per committed message. `onReady` is
   * called whenever listening begins, also after the connection was lost: what was announced in
   * between was missed. Hears once it resolves, if the database can be reached; returns a function
   * that stops listening.
   */
  listen(channel: string, listener: Listener): Promise<() => Promise<void>>;
  /** Connections of the pool; null for the embedded engine, which has none. */
  readonly countConnections: (() => PoolCounts) | null;
  /** Waits for running queries, then releases the data folder. */
  close(): Promise<void>;
};

export type Listener = {
  readonly onMessage: (payload: string) => void;
  readonly onReady: () => void;
};

/** `waiting`: queries that wait for a connection. */
type PoolCounts = {
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
};

/**
 * Runs one statement with values, or several without, which may hold a whole transaction. Returns
 * the rows of all. A failure rolls back what it left open.
 */
export type RunSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;

const ANSWER_TIMEOUT_MS = 2_000;

/** Rejects with ETIMEDOUT when the database takes longer than two seconds for `answer`. */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });
    timer = setTimeout(reject, ANSWER_TIMEOUT_MS, error);
  });
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

type Result = { readonly rows?: unknown[] };

/** As the drivers answer: one result for one statement, a list for several. */
export function rowsOf(result: Result | readonly Result[]): { rows: unknown[] } {
  return { rows: [result].flat().flatMap(({ rows }) => rows ?? []) };
}

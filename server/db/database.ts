import type { Kysely } from 'kysely';
import type { Tables } from './schema/tables.ts';

export type Database = {
  /** On the embedded engine, a query on it within a transaction would wait for itself. */
  readonly kysely: Kysely<Tables>;
  readonly engine: 'embedded' | 'postgres';
  /** Leaves no open transaction after a failure. */
  readonly runSql: RunSql;
  /** Rejects when the database does not answer within two seconds. */
  ping(): Promise<void>;
  /** `onReady` runs whenever listening begins: earlier messages were missed. Returns a stop. */
  listen(channel: string, listener: Listener): Promise<() => Promise<void>>;
  readonly countConnections: (() => PoolCounts) | null;
  close(): Promise<void>;
};

export type Listener = {
  readonly onMessage: (payload: string) => void;
  readonly onReady: () => void;
};

type PoolCounts = Readonly<Record<'inUse' | 'idle' | 'waiting', number>>;

/** Runs one statement with values, or several without. Returns the rows of all. */
export type RunSql = <Row>(text: string, values?: unknown[]) => Promise<{ rows: Row[] }>;

const ANSWER_TIMEOUT_MS = 2_000;

/** Rejects with ETIMEDOUT after two seconds. */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });
    timer = setTimeout(reject, ANSWER_TIMEOUT_MS, error);
  });
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

type Result = { readonly rows?: unknown[] };

/** Drivers return one result for one statement, and a list for several. */
export function rowsOf<Row>(result: Result | readonly Result[]): { rows: Row[] } {
  return { rows: [result].flat().flatMap(({ rows }) => (rows ?? []) as Row[]) };
}

import type { Kysely } from 'kysely';
import type { OutageReport } from './outage-watch.ts';
import type { Tables } from './schema/tables.ts';

export type Database = {
  /** On the embedded engine, a query on it within a transaction would wait for itself. */
  readonly kysely: Kysely<Tables>;
  readonly engine: 'embedded' | 'postgres';
  readonly runSql: RunSql;
  ping(): Promise<void>;
  /** `onReady` runs whenever listening begins: earlier messages were missed. Returns a stop. */
  listen(channel: string, listener: Listener): Promise<() => Promise<void>>;
  readonly countConnections: (() => PoolCounts) | null;
  close(): Promise<void>;
};

export type Opened = Omit<Database, 'engine'>;

/** States of the schema. */
export type Upgrade = { readonly from: string; readonly to: string };

export type EngineOptions = {
  readonly outages?: OutageReport;
  readonly skipMigrations?: boolean;
  /** Runs on the database as it is before an upgrade. */
  readonly beforeUpgrade?: (upgrade: Upgrade, database: Opened) => Promise<void>;
};

/** A database, or `{ kysely: transaction }` within a transaction. */
export type Reader = Pick<Database, 'kysely'>;

export type Listener = {
  readonly onMessage: (payload: string) => void;
  readonly onReady: () => void;
};

type PoolCounts = Readonly<Record<'inUse' | 'idle' | 'waiting', number>>;

/** Runs one statement with values, or several without. Returns the rows of all. */
export type RunSql = <Row>(text: string, values?: unknown[]) => Promise<{ rows: Row[] }>;

const ANSWER_TIMEOUT_MS = 2_000;

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

import type { Kysely } from 'kysely';
import type { RunSql } from './run-sql.ts';
import type { Tables } from './tables.ts';

/** One open database. The same SQL, column types and error codes on both engines. */
export type Database = {
  /**
   * On the embedded engine a transaction has the only connection: inside one, use the transaction alone. A query on
   * this object from within an open transaction would wait for itself.
   */
  readonly kysely: Kysely<Tables>;
  readonly engine: 'embedded' | 'postgres';
  /** For pg-boss, which brings SQL of its own. */
  readonly runSql: RunSql;
  /** Resolves when the database answers; rejects when it does not. */
  ping(): Promise<void>;
  /** Waits for the queries under way, then lets go of the data folder. */
  close(): Promise<void>;
};

/** What PostgreSQL spends on each statement of a database, those in functions and triggers too. */
import pg from 'pg';

export type StatementCost = {
  /** With $1 for values. */
  readonly text: string;
  readonly calls: number;
  /** Planning and waiting included, and the statements that it runs. */
  readonly ms: number;
  /** Of 8 kB, looked at in PostgreSQL's memory or outside. */
  readonly pages: number;
};

export type StatementWatch = {
  /** Forgets what was counted so far. */
  reset(): Promise<void>;
  /** The first ones by calls or by time; of equal calls, the one that takes longest. */
  read(count: number, by: 'calls' | 'ms'): Promise<StatementCost[]>;
  /** Later connections are not counted. */
  close(): Promise<void>;
};

/** Counts for connections that are made from now on. */
export async function watchStatements(databaseUrl: string): Promise<StatementWatch> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const name = client.escapeIdentifier(client.database ?? '');
  await client.query('create extension if not exists pg_stat_statements');
  await client.query(`alter database ${name} set compute_query_id = 'on'`);
  await client.query(`alter database ${name} set pg_stat_statements.track = 'all'`);
  return {
    reset: async () => void (await client.query('select pg_stat_statements_reset()')),
    async read(count, by) {
      const { rows } = await client.query<StatementCost>(
        `select regexp_replace(query, '\\s+', ' ', 'g') as text, calls::float8 as calls,
                total_plan_time + total_exec_time as ms,
                (shared_blks_hit + shared_blks_read)::float8 as pages
         from pg_stat_statements
         where dbid = (select oid from pg_database where datname = current_database())
         order by ${by} desc, ms desc limit $1`,
        [count],
      );
      return rows;
    },
    async close() {
      await client.query(`alter database ${name} reset all`);
      await client.end();
    },
  };
}

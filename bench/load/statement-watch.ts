/** What PostgreSQL spends on each statement of a database, those inside of functions and triggers too. */
import pg from 'pg';

export type StatementCost = {
  /** Its beginning, with $1 for values. */
  readonly text: string;
  readonly calls: number;
  /** Planning and waiting included, and whatever the statement sets going. */
  readonly ms: number;
};

export type StatementWatch = {
  /** Forgets what was counted so far. */
  reset(): Promise<void>;
  /** The dearest first. */
  read(count: number): Promise<StatementCost[]>;
  close(): Promise<void>;
};

/** For connections that are made from now on: a database whose statements nobody watches pays nothing. */
export async function watchStatements(databaseUrl: string): Promise<StatementWatch> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('create extension if not exists pg_stat_statements');
  const name = client.escapeIdentifier(client.database ?? '');
  await client.query(`alter database ${name} set compute_query_id = 'on'`);
  await client.query(`alter database ${name} set pg_stat_statements.track = 'all'`);
  return {
    reset: async () => void (await client.query('select pg_stat_statements_reset()')),
    async read(count) {
      const { rows } = await client.query<{ text: string; calls: number; ms: number }>(
        `select regexp_replace(query, '\\s+', ' ', 'g') as text, calls::float8 as calls,
                total_plan_time + total_exec_time as ms
         from pg_stat_statements
         where dbid = (select oid from pg_database where datname = current_database())
         order by ms desc limit $1`,
        [count],
      );
      return rows;
    },
    close: () => client.end(),
  };
}

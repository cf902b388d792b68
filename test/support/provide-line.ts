import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { Member } from '../../contract/schemas.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { type JoinQueue, openJoinQueue } from '../../server/line/join/join.ts';
import { type Engine, openTestDatabase, type TestDatabase } from './engines.ts';

type Options = Partial<Parameters<typeof openJoinQueue>[0]>;

export type ProvidedLine = TestDatabase & {
  readonly queue: JoinQueue;
  /** Joins as m1, m2 and so on. */
  join(referredBy?: string | null): Promise<Member>;
  joinAll(count: number, referredBy?: string | null): Promise<Member[]>;
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
};

/** A line without members for each of the tests around it, or one for all of them. */
export function provideLine(
  engine: Engine,
  options: Options = {},
  scope: 'each' | 'all' = 'each',
): ProvidedLine {
  const line = {} as ProvidedLine;
  let joined = 0;
  const [before, after] = scope === 'each' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    const place = await openTestDatabase(engine);
    const { database } = place;
    await prepareSizes(database, options.brand ?? brand);
    const queue = openJoinQueue({ database, brand, ...options });
    const join: ProvidedLine['join'] = async (referredBy = null) => {
      joined += 1;
      const email = `m${joined}@example.com`;
      return JSON.parse((await queue.join({ email, referredBy, idempotencyKey: null })).body);
    };
    Object.assign(line, place, { queue, join } satisfies Partial<ProvidedLine>);
  });
  after(async () => {
    await line.queue.close();
    await line.close();
  });
  return Object.assign(line, {
    joinAll: (count: number, referredBy: string | null = null) =>
      Promise.all(Array.from({ length: count }, () => line.join(referredBy))),
    sql: async <Row>(text: string, values?: unknown[]) =>
      (await line.database.runSql<Row>(text, values)).rows,
  });
}

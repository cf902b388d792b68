/** Several servers' databases and join queues on one line, for tests of races. */
import { afterEach, beforeEach } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { OperatorMember } from '../../contract/operator/members.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { type JoinAnswer, type JoinQueue, openJoinQueue } from '../../server/line/join/join.ts';
import { exportMembers } from '../../server/members/exports/export-line.ts';
import { type Engine, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { patiently } from '../support/patiently.ts';

type Joining = { readonly email: string; readonly code?: string | null };

/** Each test of the block has new ones. */
export function openNodes(engine: Engine, count: number) {
  let place: TestDatabase;
  let databases: Database[];
  let queues: JoinQueue[];

  beforeEach(async () => {
    place = await openTestDatabase(engine);
    databases = [place.database, ...(await openOthers(place, count))];
    await Promise.all(databases.map((database) => prepareSizes(database, brand)));
    queues = databases.map((database) => openJoinQueue({ database, brand }));
  });
  afterEach(async () => {
    await Promise.all(queues.map((queue) => queue.close()));
    await Promise.all(databases.slice(1).map((database) => database.close()));
    await place.close();
  });

  return {
    database: () => place.database,
    /** They take turns. */
    node: (index: number) => databases[index % count] as Database,
    /** Joins count by another rule from now on. */
    async creditBy(referralCredit: 'confirm' | 'settle'): Promise<void> {
      await Promise.all(queues.map((queue) => queue.close()));
      queues = databases.map((database) => openJoinQueue({ database, brand, referralCredit }));
    },
    /** At once; the nodes take turns. */
    joinAll: (requests: readonly Joining[]): Promise<JoinAnswer[]> =>
      Promise.all(
        requests.map(({ email, code = null }, index) => {
          const request = { email, referredBy: code, idempotencyKey: null };
          return patiently(() => (queues[index % count] as JoinQueue).join(request));
        }),
      ),
    async readLine(): Promise<OperatorMember[]> {
      const line: OperatorMember[] = [];
      for await (const member of exportMembers(place.database, brand)) line.push(member);
      return line;
    },
  };
}

/** The databases of the further servers, of so many in all. */
export const openOthers = (place: TestDatabase, count: number): Promise<Database[]> =>
  Promise.all(Array.from({ length: count - 1 }, () => openDatabase({ ...place, log: () => {} })));

/** So many who join with this name and a number, by this code. */
export const named = (name: string, length: number, code: string | null = null): Joining[] =>
  Array.from({ length }, (_, index) => ({ email: `${name}${index}@example.com`, code }));

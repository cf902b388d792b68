/** What becomes of a join whose connection to the database breaks while it waits. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import { provideLine } from '../support/provide-line.ts';

const line = provideLine('postgres');

test.each([
  { idempotencyKey: 'key-1', outcome: { status: 'fulfilled', value: { statusCode: 201 } } },
  {
    idempotencyKey: null,
    outcome: { status: 'rejected', reason: { code: 'unavailable', retryAfterSeconds: 5 } },
  },
])('with the key $idempotencyKey: $outcome.status', async ({ idempotencyKey, outcome }) => {
  const join = (key: string | null) =>
    line.queue.join({ email: 'ann@example.com', referredBy: null, idempotencyKey: key });
  const other = await openDatabase({ ...line, log: () => {} });
  const joining = await other.kysely.transaction().execute(async (transaction) => {
    await transaction.selectFrom('line_state').select('total').forUpdate().execute();
    const settling = Promise.allSettled([join(idempotencyKey)]);
    await breakWaitingConnection(other);
    return { settling };
  });
  expect(await joining.settling).toMatchObject([outcome]);
  await other.close();
  expect((await join(null)).statusCode).toBe(idempotencyKey === null ? 201 : 409);
});

async function breakWaitingConnection({ kysely }: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `.execute(kysely);
    if (rows.length > 0) return;
  }
}

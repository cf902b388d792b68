/** A database of this program with members in it, which a newer program is to upgrade. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { Member } from '../../contract/schemas.ts';
import { openDatabase } from '../../server/db/open.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import { createMigratedPlace, type DatabasePlace, type Engine } from '../support/engines.ts';
import { createDatabase, dropDatabase } from '../support/postgres-databases.ts';

const BATCH = 100;
/** What an upgrade must leave as it is. */
const KEPT = `
  select id, sequence, joined_at, join_position, key_hash, request_hash, referrer_id, is_invited,
    credit, email, email_identity, referral_code, sort_key, referral_count
  from member join standing on standing.member_id = member.id
  where email like 'ghost%' order by id`;

export type OldDatabase = {
  readonly members: number;
  /** As `readKept` reads it. */
  readonly kept: string;
  /** The answer to the first member's join, which its retry must get again. */
  readonly firstBody: string;
  /** A copy of its own for a test. */
  copy(): Promise<DatabasePlace>;
  remove(): Promise<void>;
};

/** The join of the first member. */
export const FIRST_JOIN = {
  email: 'ghost0@example.com',
  referredBy: null,
  idempotencyKey: 'key0',
} as const;

export async function createOldDatabase(engine: Engine, members: number): Promise<OldDatabase> {
  const place = await createMigratedPlace(engine);
  const firstBody = await fill(place, members);
  return {
    members,
    kept: await readKept(place),
    firstBody,
    async copy() {
      const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-old-'));
      const remove = async () => rmSync(dataDir, { recursive: true });
      if (place.databaseUrl === null) {
        cpSync(place.dataDir, dataDir, { recursive: true });
        return { dataDir, databaseUrl: null, remove };
      }
      const serverUrl = inject('postgresUrl');
      const { name, url } = await createDatabase(
        serverUrl,
        new URL(place.databaseUrl).pathname.slice(1),
      );
      return {
        dataDir,
        databaseUrl: url,
        async remove() {
          await dropDatabase(serverUrl, name);
          await remove();
        },
      };
    },
    remove: () => place.remove(),
  };
}

/** Every member of the old database, as text. */
export async function readKept(place: Omit<DatabasePlace, 'remove'>): Promise<string> {
  const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
  try {
    const { rows } = await database.runSql(`select kept::text as row from (${KEPT}) kept`);
    return (rows as { row: string }[]).map(({ row }) => row).join('\n');
  } finally {
    await database.close();
  }
}

/** Half of the members are invited by the first. Returns the first one's answer. */
async function fill(place: DatabasePlace, members: number): Promise<string> {
  const database = await openDatabase({ ...place, log: () => {} });
  await prepareSizes(database, brand);
  const queue = openJoinQueue({ database, brand });
  const { body } = await queue.join(FIRST_JOIN);
  const { referral_code: code } = JSON.parse(body) as Member;
  for (let joined = 1; joined < members; joined += BATCH)
    await Promise.all(
      Array.from({ length: Math.min(BATCH, members - joined) }, (_, index) => {
        const number = joined + index;
        return queue.join({
          email: `ghost${number}@example.com`,
          referredBy: number % 2 === 1 ? code : null,
          idempotencyKey: `key${number}`,
        });
      }),
    );
  await queue.close();
  await database.close();
  return body;
}

/** A copy of a line beside it, with the same line id, keys and far sides. */

import { Registry } from '@prometheus-io/client';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { settleRestored } from '../../server/backup/store.ts';
import { readConfig } from '../../server/config.ts';
import { mayAct, noteHome, withhold } from '../../server/db/possible-copy.ts';
import { openDrop } from '../../server/drop/module.ts';
import { makeOffers } from '../../server/drop/steps/sweep-offers.ts';
import { thisIsTheLineOperation } from '../../server/drop/steps/this-is-the-line.ts';
import { mailKinds } from '../../server/mail-kinds.ts';
import { openMailQueue } from '../../server/notifications/delivery/queue.ts';
import type { TestDatabase } from '../support/engines.ts';
import { readLineRows, writeLineRows } from '../support/line-rows.ts';
import { brand, log, SECRET, type TillLine, type World } from './till-line.ts';

const STAGING = 'https://staging.example.com';

export type Copied = {
  /** A backup was restored, or the database or folder was moved. */
  readonly how: 'restored' | 'moved';
  /** The account that sells. */
  readonly chosen: number;
  /** Minutes in which each holder can pay. */
  readonly timesLeft: ReadonlyMap<string, number>;
};

/** A server of this database: its mail, and its work for the drop. */
export async function openCopyServer({ database }: TestDatabase, world: World) {
  const onError = (error: unknown) => {
    throw error;
  };
  const options = { kinds: mailKinds, mailsPerSecond: 100, onError };
  const mails = await openMailQueue(database, options);
  const platform = {
    config: readConfig({ PUBLIC_URL: STAGING }),
    brand,
    database,
    secretKey: SECRET,
    log,
    metrics: { registry: new Registry() },
  };
  const mail = { wake() {}, reachesMembers: true, async sendToOperator() {} };
  const needed = [platform, { mail, links: {} }] as unknown as Parameters<typeof openDrop>;
  const { work = [] } = openDrop(...needed);
  return {
    close: mails.close,
    /** Nothing is sent, and nobody called. */
    async expectSilence(): Promise<void> {
      const count = () => world.far.fakes.reduce((sum, { calls }) => sum + calls, 0);
      const before = count();
      const { fetch } = globalThis;
      globalThis.fetch = world.far.fetch;
      try {
        for (const one of work) await withhold(one, database).run();
      } finally {
        globalThis.fetch = fetch;
      }
      expect(await mails.take(1)).toEqual([]);
      expect(count()).toBe(before);
    },
  };
}

/** The copy replaces what is in the other database. */
export async function copyLine(
  line: TillLine,
  copy: TillLine,
  { how, chosen, publicUrl }: Pick<Copied, 'how' | 'chosen'> & Pick<World, 'publicUrl'>,
): Promise<Copied> {
  await noteHome(line.database, { dataDir: line.dataDir, publicUrl });
  await writeLineRows(copy.database.runSql, await readLineRows(line.database.runSql));
  if (how === 'restored') {
    // A backup says neither where the line was nor under which address.
    await copy.database.runSql('update line_home set place = null, public_url = null');
    const restored = { takenAt: new Date().toISOString(), isLine: false };
    await settleRestored(copy.database.runSql, restored);
  } else await noteHome(copy.database, { dataDir: copy.dataDir, publicUrl: STAGING });
  expect(await mayAct(copy.database)).toBe(false);
  return { how, chosen, timesLeft: await readTimesLeft(copy) };
}

/** An owner has stopped the servers of the line, and says that the copy is the line. */
export async function takeOver(
  line: TillLine,
  copy: TillLine,
  { how, chosen, timesLeft }: Copied,
): Promise<void> {
  await copy.alone((all) => thisIsTheLineOperation.apply(all, {}, undefined as never));
  const left = await readTimesLeft(copy);
  for (const [offer, minutes] of timesLeft) expect(left.get(offer)).toBeGreaterThan(minutes - 2);
  await copy.alone(makeOffers);
  if (how === 'moved') return;
  await copy.setTill(chosen);
  // The owner enters the keys of those that sold before, too.
  const { rows } = await line.database.runSql<{ id: string; keys: string | null }>(
    'select id, keys from till_account',
  );
  for (const { id, keys } of rows)
    await sql`
      update till_account set keys = ${keys} where id = ${id}::uuid and keys is null
    `.execute(copy.database.kysely);
}

async function readTimesLeft({ database }: TillLine): Promise<Map<string, number>> {
  const { rows } = await sql<{ offer_id: string; minutes: number }>`
    select offer_id, (extract(epoch from pay_by - clock_timestamp()) / 60)::float8 as minutes
    from checkout where state in ('wanted', 'created')
  `.execute(database.kysely);
  return new Map(rows.map(({ offer_id, minutes }) => [offer_id, minutes]));
}

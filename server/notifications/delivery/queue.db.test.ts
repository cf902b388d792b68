import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { mailKinds } from '../../mail-kinds.ts';
import { type MailQueue, openMailQueue } from './queue.ts';
import type { MailLimits } from './queue-store.ts';

const MAILS_PER_BATCH = 10;
const BATCHES = 100;
/** Ten seconds a mail: far longer than this test takes to ask. */
const INTERVAL_MS = 10_000;
const MAX_BEHIND_MS = 250;

describe.each(oneEngine)('the mail queue on %s', (engine) => {
  let place: TestDatabase;
  let queue: MailQueue;

  beforeEach(async () => {
    place = await openTestDatabase(engine);
    queue = await openMailQueue(place.database, {
      kinds: mailKinds,
      mailsPerSecond: 1000 / INTERVAL_MS,
      onError: (error) => {
        throw error;
      },
    });
  });

  afterEach(async () => {
    await queue.close();
    await place.close();
  });

  async function fillOutbox(batches: readonly object[]): Promise<void> {
    await place.database.runSql(
      'insert into mail_outbox select * from json_populate_recordset(null::mail_outbox, $1::json)',
      [JSON.stringify(batches)],
    );
  }

  async function countDue(): Promise<number> {
    const { rows } = await place.database.runSql(
      `select count(*)::integer as jobs from pgboss.job where state < 'active'`,
    );
    return (rows as { jobs: number }[])[0]?.jobs ?? 0;
  }

  test('holds few mails while the rest waits in the outbox, the oldest first', async () => {
    const batches = Array.from({ length: BATCHES }, (_, index) => ({
      first_sequence: 1 + index * MAILS_PER_BATCH,
      kind: 'welcome',
      member_ids: Array.from({ length: MAILS_PER_BATCH }, () => randomUUID()),
    }));
    await fillOutbox(batches);
    const taken: string[] = [];
    let maxDue = 0;
    for (let look = 0; look < 14; look += 1) {
      const jobs = await queue.take(5);
      taken.push(...jobs.map(({ request }) => request.memberId));
      maxDue = Math.max(maxDue, await countDue());
      for (const job of jobs) await queue.settle(job, { outcome: 'sent' });
    }
    const oldest = batches.flatMap(({ member_ids }) => member_ids).slice(0, taken.length);
    expect(taken).toHaveLength(70);
    expect(new Set(taken)).toEqual(new Set(oldest));
    expect(maxDue).toBeLessThan(100);
    const { waiting, stuck } = await queue.readBacklog();
    expect([waiting, stuck]).toEqual([BATCHES * MAILS_PER_BATCH - taken.length, 0]);
  });

  test('counts waiting and failed mails, and has the age of the oldest', async () => {
    expect(await queue.readBacklog()).toEqual({
      waiting: 0,
      stuck: 0,
      oldestSeconds: 0,
      isRefused: false,
    });
    await place.database.runSql(`select queue_mails(array[
      '{"kind": "welcome", "memberId": "${randomUUID()}"}',
      '{"kind": "welcome", "memberId": "${randomUUID()}"}']::jsonb[])`);
    await place.database.runSql(`update pgboss.job set created_on = now() - interval '1 hour'`);
    const [failing] = await queue.take(1);
    if (failing === undefined) throw new Error('no mail was taken');
    expect((await queue.readBacklog()).stuck).toBe(0);
    await queue.settle(failing, { outcome: 'later', responseCode: 451 });
    const { waiting, stuck, oldestSeconds } = await queue.readBacklog();
    expect([waiting, stuck, Math.floor(oldestSeconds / 60)]).toEqual([2, 1, 60]);
    // The length of a long outbox is estimated from the members who joined since.
    const batches = Array.from({ length: 1_200 }, (_, index) => ({
      first_sequence: 1 + index * 2,
      kind: 'welcome',
      member_ids: [randomUUID(), randomUUID()],
    }));
    await fillOutbox(batches);
    await place.database.runSql('update line_state set next_sequence = 2401');
    expect((await queue.readBacklog()).waiting).toBe(2 + 2_400);
  });

  const openLimited = (limits: MailLimits, mailsPerSecond = 1000) =>
    openMailQueue(place.database, {
      kinds: mailKinds,
      mailsPerSecond,
      limits,
      onError: (error) => {
        throw error;
      },
    });
  const queueKinds = (...kinds: string[]) =>
    place.database.runSql(
      `select queue_mails(array(select jsonb_build_object('kind', kind, 'memberId', $2::uuid)
        || case when kind like '%offer%' then jsonb_build_object('offerId', $2::uuid) else '{}' end
        from unnest($1::text[]) kind))`,
      [kinds, randomUUID()],
    );

  test('lets no more leave in an hour and a day than the limits, from all servers', async () => {
    const hourly = await openLimited({ hourly: 7, daily: 10 });
    const other = await openLimited({ hourly: 7, daily: 10 });
    await queueKinds(...Array.from({ length: 30 }, () => 'friends'));
    const granted = await Promise.all(
      [hourly, other, hourly, other].map((one) => one.reserveSlots(5)),
    );
    expect(granted.flat()).toHaveLength(7);
    expect(await hourly.take(5)).toEqual([]);
    const pass = (interval: string) =>
      place.database.runSql(`update mail_count set minute = minute - interval '${interval}'`);
    await pass('59 minutes');
    expect(await other.take(5)).toEqual([]);
    await pass('3 minutes');
    expect(await other.reserveSlots(5)).toHaveLength(3);
    expect(await other.take(5)).toEqual([]);
    await pass('24 hours');
    expect(await other.take(5)).toHaveLength(5);
    await Promise.all([hourly.close(), other.close()]);
  });

  test('leaves a fifth of a limit to other mails than those of campaigns', async () => {
    const limited = await openLimited({ hourly: null, daily: 10 });
    await queueKinds(...Array.from({ length: 12 }, () => 'campaign'));
    const takeAll = async () => {
      const kinds: string[] = [];
      for (let look = 0; look < 20; look += 1) {
        const taken = await limited.take(1);
        await limited.reserveSlots(taken.length);
        kinds.push(...taken.map(({ request }) => request.kind));
      }
      return kinds;
    };
    expect(await takeAll()).toHaveLength(8);
    await queueKinds('friends', 'offer', 'friends');
    expect(await takeAll()).toEqual(['offer', 'friends']);
    await limited.close();
  });

  test('takes offers and confirmations first, also of the outbox, and campaigns last', async () => {
    const limited = await openLimited({ hourly: null, daily: null });
    await queueKinds('campaign', 'friends', 'offer');
    await fillOutbox([{ first_sequence: 1, kind: 'confirm', member_ids: [randomUUID()] }]);
    const kinds: string[] = [];
    for (let look = 0; look < 4; look += 1)
      kinds.push(...(await limited.take(1)).map(({ request }) => request.kind));
    expect(kinds).toEqual(['offer', 'confirm', 'friends', 'campaign']);
    await limited.close();
  });

  test('takes no mail long before its slot, so that an offer need not wait behind it', async () => {
    const slow = await openLimited({ hourly: null, daily: null }, 0.001);
    await queueKinds('friends', 'friends');
    expect(await slow.take(1)).toHaveLength(1);
    await slow.reserveSlots(1);
    expect(await slow.take(1)).toEqual([]);
    await place.database.runSql(`update mail_pace set next_at = now() + interval '2 seconds'`);
    await queueKinds('offer');
    expect((await slow.take(1)).map(({ request }) => request.kind)).toEqual(['offer']);
    await slow.close();
  });

  test('tries one mail at a time while mail stands still, goes on when none waits', async () => {
    await queueKinds('friends', 'friends');
    expect(await queue.noteRefusal('550 5.4.5')).toBe(true);
    expect(await queue.noteRefusal('550 5.4.5')).toBe(false);
    expect((await queue.readBacklog()).isRefused).toBe(true);
    expect(await queue.take(5)).toEqual([]);
    const allowProbe = () => place.database.runSql('update mail_pace set probe_at = now()');
    await allowProbe();
    const [probe, ...more] = await queue.take(5);
    expect([probe?.isProbe, more.length]).toEqual([true, 0]);
    expect(await queue.take(5)).toEqual([]);
    if (probe === undefined) throw new Error('no probe was taken');
    await queue.settle(probe, { outcome: 'later', responseCode: 550 });
    await allowProbe();
    const [second] = await queue.take(5);
    if (second === undefined) throw new Error('no second probe was taken');
    await queue.settle(second, { outcome: 'obsolete' });
    // The first waits for its next attempt, and is tried all the same.
    await allowProbe();
    const [third] = await queue.take(5);
    if (third === undefined) throw new Error('no third probe was taken');
    await queue.settle(third, { outcome: 'obsolete' });
    await allowProbe();
    expect(await queue.take(5)).toEqual([]);
    expect((await queue.readBacklog()).isRefused).toBe(false);
  });

  test('probes with each of the failed mails in turn', async () => {
    await queueKinds('friends', 'friends', 'friends');
    const failed = await queue.take(5);
    for (const job of failed) await queue.settle(job, { outcome: 'later', responseCode: 550 });
    await queue.noteRefusal('550 5.7.1');
    const probes: (string | undefined)[] = [];
    for (let look = 0; look < 6; look += 1) {
      await place.database.runSql('update mail_pace set probe_at = now()');
      const [probe] = await queue.take(5);
      probes.push(probe?.id);
      if (probe) await queue.settle(probe, { outcome: 'later', responseCode: 550 });
    }
    expect(probes.slice(0, 3).toSorted()).toEqual(failed.map(({ id }) => id).toSorted());
    expect(probes.slice(3)).toEqual(probes.slice(0, 3));
  });

  test('takes as many as asked for, also when the outbox has to be moved first', async () => {
    const ids = Array.from({ length: 200 }, () => randomUUID());
    const batches = ids.map((id, index) => ({
      first_sequence: 1 + index,
      kind: 'welcome',
      member_ids: [id],
    }));
    await fillOutbox(batches);
    const counts: number[] = [];
    for (let look = 0; look < 11; look += 1) counts.push((await queue.take(20)).length);
    expect(counts).toEqual([...Array.from({ length: 10 }, () => 20), 0]);
  });

  test('gives 20 servers slots of one common rate, however far ahead', async () => {
    const reserved = await Promise.all(Array.from({ length: 20 }, () => queue.reserveSlots(5)));
    const slots = reserved.flat().map((inMs) => Math.round(inMs / INTERVAL_MS));
    expect(slots.sort((one, other) => one - other)).toEqual(
      Array.from({ length: 100 }, (_, slot) => slot),
    );
  });

  test('uses slots that have just passed, and no older ones', async () => {
    const read = async (column: string, sql: string) => {
      const ms = `extract(epoch from ${column})::float8 * 1000 as ms`;
      const { rows } = await place.database.runSql(sql.replace('$ms', ms));
      return (rows as { ms: number }[])[0]?.ms ?? 0;
    };
    const end = (ago: string) =>
      read('next_at', `update mail_pace set next_at = now() - interval '${ago}' returning $ms`);
    const slotAt = await end('100 milliseconds');
    const [late = 0] = await queue.reserveSlots(1);
    // On a busy machine the slot may have passed long before the query.
    const behindMs = (await read('reserved_at', 'select $ms from mail_pace')) - slotAt;
    expect(late).toBeCloseTo(behindMs > MAX_BEHIND_MS ? 0 : -behindMs, 0);
    await end('1 second');
    expect(await queue.reserveSlots(2)).toEqual([0, INTERVAL_MS]);
  });

  test('gives the next slot at once after the clock was set back', async () => {
    await place.database.runSql(
      `update mail_pace
       set reserved_at = now() + interval '1 hour', next_at = now() + interval '1 hour'`,
    );
    expect(await queue.reserveSlots(2)).toEqual([0, INTERVAL_MS]);
    const [next = 0] = await queue.reserveSlots(1);
    expect(Math.round(next / INTERVAL_MS)).toBe(2);
  });

  test('hands out no mail of a possible copy, which later is as old as it was', async () => {
    const { runSql } = place.database;
    const mail = JSON.stringify({ kind: 'welcome', memberId: randomUUID() });
    await runSql('select queue_mails(array[$1::jsonb])', [mail]);
    await runSql(`update pgboss.job set created_on = now() - interval '3 days'`);
    await runSql(`select mark_copy('restored', now() - interval '2 days')`);
    await runSql('select queue_mails(array[$1::jsonb])', [mail]);
    expect(await queue.take(5)).toEqual([]);
    await runSql('select forget_copy()');
    const ages = (await queue.take(5)).map(({ queuedAt }) => Date.now() - queuedAt.getTime());
    expect(ages.map((ms) => Math.round(ms / 3_600_000)).toSorted()).toEqual([0, 24]);
  });
});

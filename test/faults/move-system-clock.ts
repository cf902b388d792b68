/** Moves the system clock of a server, and if asked of its database, under joins and mail. */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { apiPaths } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { findGaps } from '../line/check-permutation.ts';
import type { Engine } from '../support/engines.ts';
import { headerOf, startMailbox } from '../support/smtp-mailbox.ts';
import { recordFault } from './fault-record.ts';
import { createMachine, type Machine } from './machine.ts';
import { openSystemClock } from './system-clock.ts';

const HOUR_MS = 3_600_000;
const MOVES = [HOUR_MS, 0, -HOUR_MS, HOUR_MS, 0];
const JOINS = 20;
const MAIL_RATE = 10;
/** Tolerance for the time in a header, on a busy machine. */
const CLOCK_OFF_BY_MS = 60_000;
const JOINED_WITHIN_MS = 10_000;
/** On top of the time that the mail rate takes. */
const MAILED_WITHIN_MS = 10_000;

export async function moveSystemClock(
  engine: Engine,
  whose: 'the server' | 'the server and the database',
) {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-clock-'));
  chmodSync(folder, 0o755);
  const clock = openSystemClock();
  const box = await startMailbox();
  const machine = await createMachine(engine, folder, {
    settings: {
      ...clock.environment,
      LIMITS: 'on',
      MAIL_RATE: String(MAIL_RATE),
      SMTP_URL: box.url,
    },
    databaseEnvironment: whose === 'the server' ? {} : clock.environment,
  });
  try {
    await machine.startDatabase();
    await machine.startServer();
    const inviter = await joinLine(machine, 'inviter@example.com');
    const key = randomUUID();
    const first = await askJoin(machine, {
      email: 'friend@example.com',
      key,
      code: inviter.referral_code,
    });
    const firstBody = await first.text();
    const members: Member[] = [inviter, JSON.parse(firstBody) as Member];
    const joinedMs: number[] = [];
    for (const [round, byMs] of MOVES.entries()) {
      const joins = Array.from({ length: JOINS }, (_, index) =>
        joinLine(machine, `ghost${round}-${index}@example.com`),
      );
      clock.set(byMs);
      const since = performance.now();
      members.push(await joinLine(machine, `moved${round}@example.com`));
      joinedMs.push(performance.now() - since);
      members.push(...(await Promise.all(joins)));
      for (const told of [
        await askServerTime(machine),
        ...(whose === 'the server' ? [] : [await askDatabaseTime(machine)]),
      ])
        expect(Math.abs(told - Date.now() - byMs), 'the clock is moved').toBeLessThan(
          CLOCK_OFF_BY_MS,
        );
      const again = await askJoin(machine, {
        email: 'friend@example.com',
        key,
        code: inviter.referral_code,
      });
      expect(await again.text()).toBe(firstBody);
      while (welcomed(box.mails).size < members.length) await delay(20);
      const mailedMs = performance.now() - since;
      expect(mailedMs, `after ${byMs} ms`).toBeLessThan(
        MAILED_WITHIN_MS + (JOINS * 1000) / MAIL_RATE,
      );
    }
    expect(machine.output()).not.toContain('failed');
    await machine.stop();
    const { line, differences } = await machine.readLine();
    const byId = new Map(line.map((member) => [member.id, member]));
    const lost = members
      .filter(({ id, email }) => byId.get(id)?.email !== email)
      .map(({ id }) => id);
    const ids = box.mails.map((mail) => headerOf(mail, 'Message-ID'));
    const duplicated = ids.filter((id, index) => ids.indexOf(id) !== index);
    recordFault({
      fault: `Clock moved by an hour, ${engine}, ${whose}`,
      trials: MOVES.length,
      acknowledged: members.length,
      lost: lost.length,
      duplicated: duplicated.length,
      readyMs: joinedMs,
    });
    expect(Math.max(...joinedMs)).toBeLessThan(JOINED_WITHIN_MS);
    expect(line).toHaveLength(members.length);
    expect(findGaps(line.map(({ position }) => position))).toEqual([]);
    expectInOrder(line.map(({ email }) => email));
    const told = box.mails.filter(({ to }) => to[0] === 'inviter@example.com').length - 1;
    return { lost, duplicated, differences, told };
  } finally {
    await machine.remove();
    await box.close();
    clock.remove();
    rmSync(folder, { recursive: true });
  }
}

async function askServerTime({ url }: Machine): Promise<number> {
  const answer = await fetch(`${url}/healthz`);
  return Date.parse(answer.headers.get('date') ?? '');
}

async function askDatabaseTime({ databaseUrl }: Machine): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl ?? '' });
  await client.connect();
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  await client.end();
  return rows[0]?.now.getTime() ?? 0;
}

/** Members of a later turn stand behind those of earlier ones, whatever the clock said. */
function expectInOrder(emails: readonly string[]): void {
  const rounds = emails.map((email) => Number(/^(?:ghost|moved)(\d+)/.exec(email)?.[1] ?? -1));
  expect(rounds).toEqual([...rounds].sort((a, b) => a - b));
}

function welcomed(mails: readonly { to: readonly string[] }[]): Set<string> {
  return new Set(mails.map(({ to }) => to[0] ?? ''));
}

async function askJoin(
  { url }: Machine,
  { email, key, code }: { email: string; key: string; code: string | null },
): Promise<Response> {
  return await fetch(url + apiPaths.join, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ email, referred_by: code }),
  });
}

async function joinLine(machine: Machine, email: string): Promise<Member> {
  const answer = await askJoin(machine, { email, key: randomUUID(), code: null });
  expect(answer.status).toBe(201);
  return (await answer.json()) as Member;
}

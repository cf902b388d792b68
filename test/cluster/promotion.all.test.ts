/** Two servers on a PostgreSQL with a synchronous standby; `npm run cluster` is the long form. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { openDatabase } from '../../server/db/open.ts';
import { expectNothingFound } from '../faults/conclude-trials.ts';
import { openHistory } from '../faults/history.ts';
import { readLine } from '../faults/read-line.ts';
import { startVisitors, untilJoined } from '../faults/visitors.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { tellStory } from '../support/tell-story.ts';
import { judgeMail } from './judge-mail.ts';
import { type MailSink, startMailSink } from './mail-sink.ts';
import { type PostgresPair, startPostgresPair } from './postgres/postgres-pair.ts';
import { openPrimaryFront, type PrimaryFront } from './postgres/primary-front.ts';

const VISITORS_EACH = 6;
const STALL_MS = 500;

let folder: string;
let pair: PostgresPair;
let front: PrimaryFront;
let mailSink: MailSink;
let servers: ServerProcess[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-promotion-'));
  pair = await startPostgresPair({ fsync: 'off', full_page_writes: 'off' });
  front = await openPrimaryFront(() => pair.primary().port);
  const databaseUrl = new URL(pair.primary().url);
  databaseUrl.port = String(front.port);
  mailSink = await startMailSink();
  const shared = {
    DATABASE_URL: databaseUrl.href,
    SECRET_KEY: 'the same on both servers, as it has to be',
    LIMITS: 'off',
    SMTP_URL: mailSink.url,
    MAIL_RATE: '1000',
  };
  servers = await Promise.all(
    ['a', 'b'].map((name) => startServer({ ...shared, DATA_DIR: join(folder, name) })),
  );
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await mailSink.close();
  front.close();
  await pair.remove();
  rmSync(folder, { recursive: true });
});

const step = tellStory(
  'a standby takes no writes until a failover, which loses and repeats nothing',
);

step('a server does not start on the standby, and drops connections that led there', async () => {
  const [primary, standby] = pair.sides;
  const place = { dataDir: join(folder, 'c'), log: () => {} };
  await expect(openDatabase({ ...place, databaseUrl: standby.url })).rejects.toThrow(
    `PostgreSQL at 127.0.0.1:${standby.port} takes no writes now: ` +
      'DATABASE_URL has to lead to the primary.',
  );
  let port = primary.port;
  const moving = await openPrimaryFront(() => port);
  const databaseUrl = new URL(primary.url);
  databaseUrl.port = String(moving.port);
  const database = await openDatabase({ ...place, databaseUrl: databaseUrl.href });
  await database.ping();
  port = standby.port;
  moving.drop();
  await expect
    .poll(() => database.ping().catch((error) => error.message))
    .toBe('PostgreSQL takes no writes now');
  port = primary.port;
  await database.ping();
  await database.close();
  moving.close();
});

step('both servers recover from a failover, contradict no answer and repeat no mail', async () => {
  const history = openHistory();
  const visitors = servers.map(({ url }) => startVisitors(url, VISITORS_EACH, history));
  await untilJoined(history, 4 * VISITORS_EACH);
  // On one machine the standby would never lag behind.
  await pair.stallSending();
  await delay(STALL_MS);
  await pair.killPrimary();
  const acknowledgedBefore = history.members.length;
  await pair.promote();
  await untilJoined(history, 4 * VISITORS_EACH);
  await Promise.all(visitors.map((each) => each.stop()));
  const { members } = history;
  const mail = await judgeMail(pair.primary().url, { members, mails: mailSink.mails });
  expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0]);

  const { line, differences } = await readLine({
    dataDir: folder,
    databaseUrl: pair.primary().url,
  });
  expectNothingFound({ ...history.judge(line), differences, violations: history.violations });
  expect(members.length).toBeGreaterThan(acknowledgedBefore);
  expect(mail).toMatchObject({ missing: 0, doubled: 0, repeated: 0, unknown: 0 });
});

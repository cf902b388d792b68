/** Two servers on a PostgreSQL with a synchronous standby. */

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { openDatabase } from '../../server/db/open.ts';
import { expectNothingFound } from '../faults/conclude-trials.ts';
import { openHistory } from '../faults/history.ts';
import { readLine } from '../faults/read-line.ts';
import { untilMailIsSettled } from '../faults/settled-mail.ts';
import { startVisitors, untilJoined } from '../faults/visitors.ts';
import { provideFolder } from '../support/provide-folder.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { headerOf, type Mailbox, startMailbox } from '../support/smtp-mailbox.ts';
import { tellStory } from '../support/tell-story.ts';
import { withClient } from '../support/with-client.ts';
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts';
import { openPrimaryFront, type PrimaryFront } from './primary-front.ts';

const VISITORS_EACH = 6;
const STALL_MS = 500;
/** Commits wait so long for a dead standby before the primary is told to go on alone. */
const NOTICED_MS = 500;

const pathOf = provideFolder('all');
let pair: PostgresPair;
let front: PrimaryFront;
let box: Mailbox;
let servers: ServerProcess[];

beforeAll(async () => {
  pair = await startPostgresPair({ fsync: 'off', full_page_writes: 'off' });
  front = await openPrimaryFront(() => pair.primary().port);
  const databaseUrl = new URL(pair.primary().url);
  databaseUrl.port = String(front.port);
  box = await startMailbox();
  const shared = {
    DATABASE_URL: databaseUrl.href,
    SECRET_KEY: 'the same on both servers, as it has to be',
    LIMITS: 'off',
    SMTP_URL: box.url,
    MAIL_RATE: '1000',
  };
  servers = await Promise.all(
    ['a', 'b'].map((name) => startServer({ ...shared, DATA_DIR: pathOf(name) })),
  );
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await box.close();
  front.close();
  await pair.remove();
});

const step = tellStory(
  'a standby takes no writes until a failover, which loses and repeats nothing',
);

step('a server does not start on the standby, and drops connections that led there', async () => {
  const [primary, standby] = pair.sides;
  const place = { dataDir: pathOf('c'), log: () => {} };
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

step(
  'servers recover from failover and lost standby, contradict nothing, repeat no mail',
  async () => {
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
    expect(history.members.length).toBeGreaterThan(acknowledgedBefore);
    await pair.rejoin();
    await pair.killStandby();
    await delay(NOTICED_MS);
    await pair.goOnAlone();
    await untilJoined(history, 4 * VISITORS_EACH);
    await Promise.all(visitors.map((each) => each.stop()));
    const { members } = history;
    const place = { dataDir: pathOf(), databaseUrl: pair.primary().url };
    await untilMailIsSettled(servers[0]?.url ?? '', place);
    expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0]);

    const kinds = await withClient(place.databaseUrl, async (client) => {
      const jobs = await client.query<{ id: string; kind: string }>(
        `select id, data->>'kind' as kind from pgboss.job where name = 'mail'`,
      );
      return new Map(jobs.rows.map(({ id, kind }) => [id, kind]));
    });
    const mails = box.mails.map((mail) => {
      const id = headerOf(mail, 'Message-ID').replace(/^<|@.*$/g, '');
      return { id, to: mail.to[0], kind: kinds.get(id) };
    });
    expect(new Set(mails.map(({ id }) => id)).size).toBe(mails.length);
    expect(mails.filter(({ kind }) => kind === undefined)).toEqual([]);
    const welcomed = mails.flatMap(({ kind, to }) => (kind === 'welcome' ? to : []));
    expect(welcomed.toSorted()).toEqual(members.map(({ email }) => email).toSorted());
    const { line, differences } = await readLine(place);
    expectNothingFound({ ...history.judge(line), differences, violations: history.violations });
  },
);

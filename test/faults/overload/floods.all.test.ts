/**
 * Clients who flood one route after the other, and one with more connections than a whole office,
 * each from an address of its own, beside others who join. The floods have the first core, and the
 * server has the others.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiPaths, fillPath, imagePaths, PLAIN_QUERY, pagePaths } from '../../../contract/paths.ts';
import type { Member } from '../../../contract/schemas.ts';
import { createMigratedPlace, type DatabasePlace } from '../../support/engines.ts';
import { type ServerProcess, startServer } from '../../support/server-process.ts';
import { isLong } from '../../support/test-form.ts';
import { settingsOf } from '../backup-commands.ts';
import { recordFlood } from '../fault-record.ts';
import { joinOverHttp } from '../join-load.ts';
import { CONNECTIONS, expectAnswered, GREEDY, joinMeanwhile, PROXY } from './joins-beside.ts';
import { keepOffClientsCore, runLoad } from './load-process.ts';

const MEMBERS = 100;
const KEPT_ALIVE = 11_000;
const SECONDS = isLong ? 15 : 3;
const GREEDY_SECONDS = isLong ? 30 : 5;

const inviteOf = ({ referral_code }: Member) => fillPath(pagePaths.invite, referral_code);
const statusOf = ({ id }: Member) => fillPath(pagePaths.status, id);

/** Each with the requests of the flood: one for each member. */
const ROUTES: Readonly<Record<string, (member: Member) => string>> = {
  'the landing page': () => get('/'),
  'the landing page with a code': ({ referral_code }) => get(`/?ref=${referral_code}`),
  'invite pages': (member) => get(inviteOf(member)),
  'invite pages without script': (member) => get(`${inviteOf(member)}?${PLAIN_QUERY}`),
  'status pages': (member) => get(statusOf(member)),
  'status pages without script': (member) => get(`${statusOf(member)}?${PLAIN_QUERY}`),
  'share cards': ({ referral_code }) => get(fillPath(imagePaths.inviteCard, referral_code, 'a')),
  'QR codes': ({ referral_code }) => get(fillPath(imagePaths.inviteQr, referral_code)),
  "members' images": ({ id }) => get(fillPath(imagePaths.memberImage, id, 'wide')),
  'the status call': ({ id }) => get(fillPath(apiPaths.status, id)),
  'the live call': ({ id }) => get(fillPath(apiPaths.live, id)),
  'the stats call': () => get(apiPaths.stats),
  'verifying codes': ({ referral_code }) => get(fillPath(apiPaths.verifyReferral, referral_code)),
  'the API described': () => get('/api/docs'),
  'the API described for machines': () => get('/api/openapi.json'),
};

let place: DatabasePlace;
let server: ServerProcess;
let members: Member[];
beforeAll(async () => {
  place = await createMigratedPlace('embedded');
  server = await startServer({ ...settingsOf(place), TRUST_PROXY: PROXY });
  keepOffClientsCore(server.pid);
  const joining = Array.from({ length: MEMBERS }, async (_, index) => {
    const answer = await joinOverHttp(server.url, `member${index}@example.com`, null);
    return (await answer.json()) as Member;
  });
  members = await Promise.all(joining);
});
afterAll(async () => {
  await server.kill();
  await place.remove();
});

const FLOODS = Object.entries(ROUTES).map(
  ([route, requestFor], index) => [route, requestFor, index + 2] as const,
);

test.each(FLOODS)('%s', async (route, requestFor, network) => {
  const flood = runLoad(
    {
      port: portOf(server),
      from: `127.0.0.${network}`,
      seconds: SECONDS,
      offer: { closed: { inFlight: CONNECTIONS } },
      requests: members.map(requestFor),
    },
    [],
  );
  const joins = await joinMeanwhile(server.url, flood, network);
  recordFlood(route, joins);
  const { accepted, refused } = await flood;
  const answers = `${accepted.count} answers, ${refused.count} refusals`;
  expectAnswered(`${CONNECTIONS} connections for ${route} (${answers})`, joins);
});

test(`${CONNECTIONS} connections that ask without end leave other joins answered`, async () => {
  const closed = { closed: { inFlight: CONNECTIONS } };
  const flood = runLoad(
    { port: portOf(server), from: GREEDY, seconds: GREEDY_SECONDS, offer: closed },
    [],
  );
  const joins = await joinMeanwhile(server.url, flood);
  expectAnswered(`${CONNECTIONS} greedy connections`, joins);
  const { half, refusedWithoutRetryAfter } = await flood;
  expect({ half, refusedWithoutRetryAfter }).toEqual({ half: 0, refusedWithoutRetryAfter: 0 });
});

test.runIf(isLong)(
  `${KEPT_ALIVE} idle connections of 11 addresses leave other joins answered`,
  async () => {
    const sockets = Array.from({ length: KEPT_ALIVE }, (_, index) =>
      connect({
        port: portOf(server),
        host: '127.0.0.1',
        localAddress: `127.0.0.${2 + (index % 11)}`,
      }).on('error', () => undefined),
    );
    const opened = sockets.map((socket) => once(socket, 'connect').catch(() => undefined));
    const idle = Promise.all(opened).then(() => delay(GREEDY_SECONDS * 500));
    const network = FLOODS.length + 2;
    const joins = await joinMeanwhile(server.url, idle, network);
    for (const socket of sockets) socket.destroy();
    expectAnswered(`${KEPT_ALIVE} idle connections`, joins);
  },
);

const portOf = ({ url }: ServerProcess) => Number(new URL(url).port);

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n`;
}

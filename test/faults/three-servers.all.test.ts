import { afterAll, beforeAll, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { Member } from '../../contract/schemas.ts';
import { openDatabase } from '../../server/db/open.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { exportMembers } from '../../server/members/exports/export-line.ts';
import { findGaps } from '../line/check-permutation.ts';
import { findUntruePositions } from '../line/check-told-positions.ts';
import { spellings } from '../line/spellings.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { createMigratedPlace, type DatabasePlace } from '../support/engines.ts';
import { runServerToItsEnd, type ServerProcess, startServer } from '../support/server-process.ts';
import { tellStory } from '../support/tell-story.ts';
import { joinOverHttp, statusOverHttp } from './join-load.ts';

/** Three server processes on one PostgreSQL, each with its own data folder. */
let places: DatabasePlace[];
let servers: ServerProcess[];

beforeAll(async () => {
  places = await Promise.all([
    createMigratedPlace('postgres'),
    createMigratedPlace('postgres'),
    createMigratedPlace('postgres'),
  ]);
  servers = await Promise.all(places.map(({ dataDir }) => startServer(settingsOf(dataDir))));
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await Promise.all(places.map((place) => place.remove()));
});

const settingsOf = (dataDir: string) => ({
  DATA_DIR: dataDir,
  DATABASE_URL: places[0]?.databaseUrl ?? '',
  SECRET_KEY: 'the same on all three servers, as it must be',
  LIMITS: 'off',
});

test('a fourth server in the data folder of another is refused', async () => {
  const dataDir = places[1]?.dataDir ?? '';
  const refused = `The data folder ${dataDir} is in use by another running server:`;
  expect(await runServerToItsEnd(settingsOf(dataDir))).toEqual({
    exitCode: 1,
    output: `${refused} stop that one first.\n`,
  });
});

type Wanted = { readonly email: string; readonly code?: string | null };

/** All at once, round-robin over the servers. */
async function joinAll(wanted: readonly Wanted[]): Promise<{ status: number; member: Member }[]> {
  return Promise.all(
    wanted.map(async ({ email, code = null }, index) => {
      const answer = await joinOverHttp(servers[index % servers.length]?.url ?? '', email, code);
      return { status: answer.status, member: (await answer.json()) as Member };
    }),
  );
}

async function joinOne(email: string): Promise<Member> {
  const [answer] = await joinAll([{ email }]);
  if (answer?.status !== 201) throw new Error(`${email} did not join`);
  return answer.member;
}

test('500 joins of one address in 8 spellings on 3 servers are 1 member and 1 credit', async () => {
  const inviter = await joinOne('inviter-of-one@example.com');
  const ways = spellings('one');
  const answers = await joinAll(
    Array.from({ length: 500 }, (_, index) => ({
      email: ways[index % ways.length] ?? '',
      code: inviter.referral_code,
    })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(499);
  for (const { url } of servers)
    expect((await statusOverHttp(url, inviter.id))?.referral_count).toBe(1);
});

const step = tellStory('members who join over three servers at once move up and down one line');

step('200 friends of one member joining at once over three servers each count once', async () => {
  const inviter = await joinOne('inviter-of-many@example.com');
  await joinAll(
    Array.from({ length: 200 }, (_, index) => ({
      email: `friend${index}@example.com`,
      code: inviter.referral_code,
    })),
  );
  for (const { url } of servers)
    expect((await statusOverHttp(url, inviter.id))?.referral_count).toBe(10);
  const database = await openDatabase({ ...(places[0] as DatabasePlace), log: () => {} });
  await confirmEverybody(database);
  await database.close();
  for (const { url } of servers) {
    expect(await statusOverHttp(url, inviter.id)).toMatchObject({
      referral_count: 200,
      position: 1,
      tier_level: 5,
    });
  }
});

step('of 2,000 joins over 3 servers, half invited, each answer has the true position', async () => {
  const inviter = await joinOne('inviter-of-half@example.com');
  const answers = await joinAll(
    Array.from({ length: 2000 }, (_, index) => ({
      email: `visitor${index}@example.com`,
      code: index % 2 === 0 ? inviter.referral_code : null,
    })),
  );
  expect(answers.filter(({ status }) => status !== 201)).toEqual([]);

  const database = await openDatabase({ ...(places[0] as DatabasePlace), log: () => {} });
  const told = new Map(answers.map(({ member }) => [member.id, member.position]));
  expect(await findUntruePositions(database, told)).toEqual([]);
  const positions: number[] = [];
  for await (const { position } of exportMembers(database, brand)) positions.push(position);
  expect(findGaps(positions)).toEqual([]);
  expect((await verifyLine(database)).differences).toEqual([]);
  await database.close();
});

/** Two servers on one PostgreSQL take the same step of a drop at once: only one succeeds. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditPage } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { App } from '../../server/app.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const STEPS: Readonly<Record<string, object>> = {
  'freeze-drop': { first: 10, domains: ['example.com'] },
  'announce-draw': { by_rank: 1, drawn_among: 4, source: 'seed' },
  'select-entrants': {},
  'start-offers': { minutes: 720, time_zone: 'UTC' },
  'tell-others': {},
  'close-drop': {},
  'open-drop': {},
};

let app: TestApp;
let other: App;
beforeAll(async () => {
  app = await openTestApp('postgres');
  other = await app.openAnother();
  for (const index of [0, 1, 2, 3]) await app.join(`ghost${index}@example.com`);
  await confirmEverybody(app.database);
});
afterAll(async () => {
  await other.close();
  await app.remove();
});

async function change({ fastify }: App, kind: string, input: object): Promise<number> {
  const payload = { kind, input, reason: 'launch day' };
  const url = operatorPaths.changes;
  return (await fastify.inject({ method: 'POST', url, payload, headers: HEADERS })).statusCode;
}

test('each step of a drop is taken once, by one of four who ask at once', async () => {
  for (const [kind, input] of Object.entries(STEPS)) {
    const statuses = await Promise.all(
      [app, other, app, other].map((one) => change(one, kind, input)),
    );
    expect(statuses.sort(), kind).toEqual([201, 409, 409, 409]);
    const log = await app.fastify.inject({ url: operatorPaths.changes, headers: HEADERS });
    const { entries } = log.json() as AuditPage;
    expect(entries.filter(({ action }) => action === kind)).toHaveLength(1);
  }
});

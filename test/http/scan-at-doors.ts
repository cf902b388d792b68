/** Two people at two doors, on two servers, scan the pass of ghost0@example.com. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { OwnOffer } from '../../contract/drop/offer-views.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { askWith, asToken } from './operator-sessions.ts';
import type { TestApp } from './test-app.ts';

export async function scanAtDoors(app: TestApp, offer: OwnOffer['offer']): Promise<void> {
  const { code = '', size } = offer ?? {};
  const ask = askWith(app, asToken);
  const second = await app.openAnother();
  const doorOf = async (name: string, on: Pick<TestApp, 'fastify'>) => {
    const made = await ask('POST', operatorPaths.keys, { name, scopes: ['redeem'] });
    return askWith(on, { authorization: `Bearer ${made.json().key}` });
  };
  const doors = { Vera: await doorOf('Vera', app), Otto: await doorOf('Otto', second) };
  const scan = async (by: keyof typeof doors, scanned: object) => {
    const answer = await doors[by]('POST', operatorPaths.scanPass, scanned);
    return { status: answer.statusCode, ...answer.json() };
  };
  const summaries = async (): Promise<string[]> =>
    (await ask('GET', operatorPaths.changes))
      .json()
      .entries.map(({ summary }: { summary: string }) => summary);

  const hash = createHash('sha256').update(`${code}`).digest('hex');
  const listed = async () => (await doors.Otto('GET', operatorPaths.doorPasses)).json();
  expect(await listed()).toEqual({ passes: [{ hash, size, is_used: false }] });

  const [vera, otto] = await Promise.all([
    scan('Vera', { code, scan: 'Vera' }),
    scan('Otto', { code, scan: 'Otto' }),
  ]);
  const isVera = vera.result === 'given';
  const [winner, loser] = isVera ? [vera, otto] : [otto, vera];
  const [first, other] = isVera ? (['Vera', 'Otto'] as const) : (['Otto', 'Vera'] as const);
  const holder = { size, drop: 1, position: 1, email: 'ghost0@example.com' };
  expect(winner).toMatchObject({ status: 200, result: 'given', ...holder, used_by: first });
  expect(loser).toEqual({ ...winner, result: 'used' });
  expect(await listed()).toEqual({ passes: [{ hash, size, is_used: true }] });
  expect((await summaries())[0]).toBe(`A pass for a mask of size ${size} was used at the door.`);

  // The answer to the winner was lost, and the other one scanned without network: both ask later.
  expect(await scan(first, { code, scan: first, waited_seconds: 48 })).toEqual(winner);
  expect(await scan(other, { code, scan: 'later', waited_seconds: 48 })).toEqual(loser);
  const [lost, ...earlier] = await summaries();
  expect(lost).toContain('that could not be used was scanned at the door, without network, 48');
  expect(earlier.filter((summary) => summary.includes('at the door'))).toHaveLength(1);

  expect(await scan('Vera', { code: 'no', scan: 'x' })).toMatchObject({ status: 404 });
  const tooLate = { code, scan: 'x', waited_seconds: 604_801 };
  expect(await scan('Vera', tooLate)).toMatchObject({ status: 422 });
  const ordered = await ask('POST', operatorPaths.redeemPass, { code, order: '#1' });
  expect(ordered.json()).toEqual({ detail: 'Another order has redeemed this pass, or a door.' });
  await second.close();
}

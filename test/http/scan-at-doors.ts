/** Two people at two doors, on two servers, scan the pass of ghost0@example.com. */
import { sql } from 'kysely';
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

  const counted = async () => (await doors.Otto('GET', operatorPaths.doorPasses)).json();
  expect(await counted()).toEqual({ passes: [{ drop: 1, all: 1, used: 0 }] });

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
  expect(await counted()).toEqual({ passes: [{ drop: 1, all: 1, used: 1 }] });
  expect((await summaries())[0]).toBe(`A mask of size ${size} was handed over at the door.`);

  // The answer to the winner was lost: the same scan asks again, and hands over no second mask.
  expect(await scan(first, { code, scan: first })).toEqual(winner);
  expect(await scan(other, { code, scan: 'later' })).toEqual(loser);
  const handed = (await summaries()).filter((summary) => summary.includes('at the door'));
  expect(handed).toHaveLength(1);

  expect(await scan('Vera', { code: 'no', scan: 'x' })).toMatchObject({ status: 404 });
  const ordered = await ask('POST', operatorPaths.redeemPass, { code, order: '#1' });
  expect(ordered.json()).toEqual({ detail: 'The mask of this pass was handed over at a door.' });
  await undoScans({ app, code: `${code}`, first, scan, post: doors[first], summaries });
  await second.close();
}

type Undoing = {
  readonly app: TestApp;
  readonly code: string;
  readonly first: 'Vera' | 'Otto';
  readonly scan: (by: 'Vera' | 'Otto', scanned: object) => Promise<Record<string, unknown>>;
  readonly post: ReturnType<typeof askWith>;
  readonly summaries: () => Promise<string[]>;
};

/** A wrong tap is undone for a minute, and its repetition hands over nothing. */
async function undoScans({ app, code, first, scan, post, summaries }: Undoing): Promise<void> {
  const undo = async (own: string) => {
    const answer = await post('POST', operatorPaths.undoScan, { code, scan: own });
    return { status: answer.statusCode, ...answer.json() };
  };
  expect(await undo('nobody')).toMatchObject({ status: 200, result: 'used', used_by: first });
  for (let time = 0; time < 2; time += 1)
    expect(await undo(first)).toMatchObject({ status: 200, result: 'undone' });
  expect((await summaries())[0]).toContain('was taken back at the door.');
  expect(await scan(first, { code, scan: first })).toMatchObject({ result: 'undone' });
  // A scan that arrives after it was undone is undone, too.
  expect(await undo('under way')).toMatchObject({ result: 'undone' });
  expect(await scan(first, { code, scan: 'under way' })).toMatchObject({ result: 'undone' });
  expect(await scan(first, { code, scan: 'next', drop: 2 })).toMatchObject({
    ...{ result: 'other_drop', drop: 1, used_at: null },
  });
  expect(await scan(first, { code, scan: 'next', drop: 1 })).toMatchObject({ result: 'given' });
  await app.database.kysely
    .updateTable('offer')
    .set({ handed_at: sql<Date>`handed_at - interval '61 seconds'` })
    .where('code', '=', code)
    .execute();
  expect(await undo('next')).toMatchObject({ status: 409 });
  expect(await scan(first, { code, scan: 'next' })).toMatchObject({ result: 'given' });
}

/** Changes over the operator API: previews, undo, and operators that act at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { verifyAudit } from '../../server/access/audit/verify-audit.ts';
import { deleteExpiredUndo } from '../../server/members/changes/removal-change.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };

describe.each(oneEngine)('changes on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine);
  });
  afterAll(() => app.remove());

  const post = (url: string, payload: object) =>
    app.fastify.inject({ method: 'POST', url, payload, headers: HEADERS });
  const stockOf = (stock: number) => ({ kind: 'set-stock', input: { size: 'Small', stock } });
  const change = (wanted: object, more: object = {}) =>
    post(operatorPaths.changes, { ...wanted, reason: 'counted again', ...more });
  const preview = async (wanted: object) =>
    (await post(operatorPaths.previewChange, wanted)).json();
  const undo = (number: number) =>
    post(fillPath(operatorPaths.undoChange, String(number)), { reason: 'a mistake' });
  async function list(query = '') {
    const url = operatorPaths.changes + query;
    return (await app.fastify.inject({ url, headers: HEADERS })).json();
  }
  async function readStock(): Promise<number> {
    const { rows } = await app.database.runSql(`select stock from mask_size where name = 'Small'`);
    return (rows[0] as { stock: number }).stock;
  }

  const step = tellStory('goes through one step after the other');

  step('a preview says what would change, and changes nothing', async () => {
    expect(await preview(stockOf(30))).toEqual({
      sentences: [
        'The stock of Small goes from 33 to 30.',
        '30 of them are available, 0 are allocated.',
      ],
      counts: { before: 33, after: 30, available: 30 },
      seen: 0,
      can_undo: true,
    });
    expect(await readStock()).toBe(33);
    expect((await list()).entries).toEqual([]);
  });

  step('a change is logged with its reason, and undone once', async () => {
    const made = await change(stockOf(30));
    expect([made.statusCode, made.json()]).toEqual([
      201,
      {
        change: 1,
        summary: 'The stock of Small went from 33 to 30.',
        undo_until: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await readStock()).toBe(30);
    expect((await list()).entries).toEqual([
      {
        number: 1,
        at: expect.stringMatching(/Z$/),
        actor: { kind: 'token', id: null, name: expect.any(String) },
        action: 'set-stock',
        subject: { kind: 'size', id: 'Small' },
        reason: 'counted again',
        summary: 'The stock of Small went from 33 to 30.',
        undo_until: made.json().undo_until,
        undo_refusal: null,
        undone_by: null,
      },
    ]);
    const undone = await undo(1);
    expect([undone.statusCode, undone.json()]).toEqual([
      201,
      { change: 2, summary: 'The stock of Small went back from 30 to 33.', undo_until: null },
    ]);
    expect(await readStock()).toBe(33);
    expect((await undo(1)).json()).toEqual({ detail: 'Change 1 was undone already, by 2.' });
    expect((await undo(2)).json()).toEqual({ detail: 'Change 2 has no undo.' });
    expect((await undo(99)).statusCode).toBe(404);
    const { entries } = await list();
    expect(entries).toMatchObject([
      { number: 2, action: 'undo', subject: { kind: 'change', id: '1' }, reason: 'a mistake' },
      { number: 1, undo_until: null, undone_by: 2 },
    ]);
  });

  step('an undo is refused once something else changed the same', async () => {
    const first = (await change(stockOf(20))).json().change;
    const second = (await change(stockOf(10))).json().change;
    expect((await undo(first)).json()).toEqual({
      detail: 'The stock of Small is 10 by now, not 20.',
    });
    expect((await undo(second)).statusCode).toBe(201);
    expect((await undo(first)).statusCode).toBe(201);
    expect(await readStock()).toBe(33);
  });

  step('an undo is refused after 24 hours', async () => {
    const { change: number } = (await change(stockOf(5))).json();
    await app.database.runSql(
      `update undo_record set until = now() - interval '1 second' where audit_sequence = ${number}`,
    );
    await deleteExpiredUndo(app.database);
    const { rows } = await app.database.runSql(
      `select from undo_record where audit_sequence = ${number}`,
    );
    expect(rows).toHaveLength(0);
    expect((await undo(number)).statusCode).toBe(409);
    expect((await list()).entries[0]).toMatchObject({ number, undo_until: null });
    expect((await change(stockOf(33))).statusCode).toBe(201);
  });

  step('of two who saw the same, one wins, and the other gets a sentence', async () => {
    const { seen } = await preview(stockOf(30));
    const answers = await Promise.all(
      [28, 29, 30, 31].map((stock) => change(stockOf(stock), { seen })),
    );
    const won = answers.filter(({ statusCode }) => statusCode === 201);
    expect(won).toHaveLength(1);
    for (const lost of answers.filter((answer) => answer !== won[0])) {
      expect(lost.statusCode).toBe(409);
      expect(lost.json().detail).toMatch(
        /^Change \d+ of the same size came in between: look at the preview again\.$/,
      );
    }
    expect(won[0]?.json().summary).toContain(`from 33 to ${await readStock()}`);
  });

  step('of two who undo the same, one wins, and the other gets a sentence', async () => {
    const { entries } = await list();
    const { number } = entries[0];
    const answers = await Promise.all([undo(number), undo(number), undo(number)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409]);
    for (const { json, statusCode } of answers)
      if (statusCode === 409) expect(json().detail).toMatch(/^Change \d+ was undone already, by/);
    expect(await readStock()).toBe(33);
  });

  test.each([
    ['no reason', { ...stockOf(1), reason: '' }],
    ['an empty reason', { ...stockOf(1), reason: '  ' }],
    ['an address in the reason', { ...stockOf(1), reason: 'for ada@example.com' }],
    ['an unknown kind', { kind: 'set-everything', input: {}, reason: 'x' }],
    ['no kind', { input: { size: 'Small', stock: 1 }, reason: 'x' }],
    ['an input of another kind', { kind: 'set-stock', input: { member_id: 'x' }, reason: 'x' }],
    [
      'a size that does not exist',
      { kind: 'set-stock', input: { size: 'X', stock: 1 }, reason: 'x' },
    ],
  ])('%s is refused with one sentence, and leaves no entry', async (_what, body) => {
    const before = await verifyAudit(app.database);
    const answer = await post(operatorPaths.changes, body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toMatch(/^[A-Z].*\.$/);
    expect(await verifyAudit(app.database)).toEqual(before);
  });

  step('the log comes in pages, and by subject', async () => {
    for (let count = 0; count < 30; count += 1) {
      await change(stockOf(count));
      await change({ kind: 'set-stock', input: { size: 'Large', stock: count } });
    }
    const numbers: number[] = [];
    let next: number | null = null;
    do {
      const page: { entries: { number: number }[]; next: number | null } = await list(
        next === null ? '' : `?before=${next}`,
      );
      numbers.push(...page.entries.map(({ number }) => number));
      next = page.next;
    } while (next !== null);
    const { entries, difference } = await verifyAudit(app.database);
    expect(difference).toBeNull();
    expect(numbers).toEqual(Array.from({ length: entries }, (_, index) => entries - index));
    const large = await list('?subject_kind=size&subject_id=Large');
    expect(large.entries).toHaveLength(30);
    for (const { subject } of large.entries) expect(subject.id).toBe('Large');
    for (const query of ['?before=0', '?before=x', '?subject_id=Large'])
      expect((await list(query)).detail).toMatch(/^[A-Z].*\.$/);
  });
});

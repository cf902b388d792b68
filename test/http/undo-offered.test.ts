/** An undo is offered only while the server would make it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { lock } from '../../server/db/transaction.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };

describe.each(oneEngine)('the list of changes on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine);
    for (const name of ['ada', 'bob', 'cleo']) await app.join(`${name}@example.com`);
  });
  afterAll(() => app.remove());

  const post = async (url: string, payload: object) =>
    (await app.fastify.inject({ method: 'POST', url, payload, headers: HEADERS })).json();
  const change = async (kind: string, input: object = {}) =>
    (await post(operatorPaths.changes, { kind, input, reason: 'launch day' })).change as number;
  const undo = (number: number) =>
    post(fillPath(operatorPaths.undoChange, String(number)), { reason: 'a mistake' });
  async function entry(number: number): Promise<AuditEntry | undefined> {
    const url = operatorPaths.changes;
    const { entries } = (await app.fastify.inject({ url, headers: HEADERS })).json();
    return (entries as AuditEntry[]).find((one) => one.number === number);
  }
  async function expectTruth(number: number): Promise<void> {
    const shown = await entry(number);
    const { detail } = await undo(number);
    expect([shown?.undo_until, shown?.undo_refusal]).toEqual([null, detail]);
    expect(detail).toEqual(expect.any(String));
  }

  const step = tellStory('goes through one step after the other');

  step('offers what can be undone, and a preview says so before', async () => {
    const wanted = { kind: 'set-stock', input: { size: 'Small', stock: 30 } };
    expect((await post(operatorPaths.previewChange, wanted)).can_undo).toBe(true);
    const number = await change(wanted.kind, wanted.input);
    expect(await entry(number)).toMatchObject({
      undo_until: expect.any(String),
      undo_refusal: null,
    });
    const sending = await post(operatorPaths.previewChange, {
      kind: 'resend-link',
      input: { member_id: (await app.join('dan@example.com')).id },
    });
    expect(sending.can_undo).toBe(false);
  });

  step('says why not, once something came in between', async () => {
    const first = await change('set-stock', { size: 'Medium', stock: 30 });
    const second = await change('set-stock', { size: 'Medium', stock: 20 });
    await expectTruth(first);
    expect((await undo(second)).summary).toContain('went back from 20 to 30');
    expect(await entry(first)).toMatchObject({ undo_until: expect.any(String) });
  });

  step('claims nothing in the sheet of a member, which tries no undo', async () => {
    const { id } = await app.join('eve@example.com');
    const number = await change('adjust-points', { member_id: id, by: 1 });
    expect(await entry(number)).toMatchObject({ undo_until: expect.any(String) });
    const url = fillPath(operatorPaths.member, id);
    const { audit } = (await app.fastify.inject({ url, headers: HEADERS })).json();
    expect(audit[0]).toMatchObject({ number, undone_by: null });
    expect(audit[0]).not.toHaveProperty('undo_until');
    expect(audit[0]).not.toHaveProperty('undo_refusal');
  });

  step('offers no way back from a freeze once the offers have started', async () => {
    await confirmEverybody(app.database);
    const freeze = await change('freeze-drop', { first: 3, domains: ['example.com'] });
    expect(await entry(freeze)).toMatchObject({ undo_until: expect.any(String) });
    await change('announce-draw', { by_rank: 2, drawn_among: 3, source: 'seed' });
    await change('select-entrants');
    await change('start-offers', { minutes: 60, time_zone: 'UTC' });
    await expectTruth(freeze);
  });
});

test('what an undo would move in the line is read without the lock of joins', async () => {
  const app = await openTestApp('postgres');
  const change = async (kind: string, input: object) => {
    const payload = { kind, input, reason: 'launch day' };
    const url = operatorPaths.changes;
    await app.fastify.inject({ method: 'POST', url, payload, headers: HEADERS });
  };
  const offeredFor = async (kind: string, id: string): Promise<(boolean | string)[]> => {
    const query = { subject_kind: kind, subject_id: id };
    const url = operatorPaths.changes;
    const { entries } = (await app.fastify.inject({ url, query, headers: HEADERS })).json();
    return (entries as AuditEntry[]).map((one) => one.undo_refusal ?? one.undo_until !== null);
  };
  const ada = await app.join('ada@example.com');
  const bob = await app.join('bob@example.com');
  const friend = await app.join('cleo@example.com', bob.referral_code);
  await confirmEverybody(app.database);
  await change('remove-members', { member_ids: [ada.id] });
  await change('decide-credits', { member_ids: [friend.id], state: 'held' });
  await change('freeze-drop', { first: 1 });
  const holder = await app.database.kysely.startTransaction().execute();
  await lock(holder, 'line');
  expect(await offeredFor('member', ada.id)).toEqual([true]);
  expect(await offeredFor('member', friend.id)).toEqual([true]);
  expect(await offeredFor('drop', '1')).toEqual([true]);
  await holder.rollback().execute();
  await app.join('ada@example.com');
  await change('decide-credits', { member_ids: [friend.id], state: 'refused', again: true });
  const nobody = 'Their addresses are in line again: nobody can come back.';
  expect(await offeredFor('member', ada.id)).toEqual([nobody]);
  const again = 'Somebody decided about these friends again since, or the members have left.';
  expect(await offeredFor('member', friend.id)).toEqual([true, again]);
  await app.remove();
});

test('a join does not wait until a list has tried all its undos', async () => {
  const app = await openTestApp('embedded');
  const url = operatorPaths.changes;
  for (let stock = 1; stock <= 24; stock++) {
    const payload = { kind: 'set-stock', input: { size: 'Small', stock }, reason: 'launch day' };
    await app.fastify.inject({ method: 'POST', url, payload, headers: HEADERS });
  }
  const answered: string[] = [];
  await Promise.all([
    app.fastify.inject({ url, headers: HEADERS }).then(() => answered.push('list')),
    app.join('ada@example.com').then(() => answered.push('join')),
  ]);
  expect(answered).toEqual(['join', 'list']);
  await app.remove();
});

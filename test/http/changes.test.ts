/** Changes over the operator API: previews, undo, and operators that act at once. */
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { verifyAudit } from '../../server/access/audit/verify-audit.ts';
import { lock } from '../../server/db/transaction.ts';
import { deleteExpiredUndo } from '../../server/members/changes/removal-change.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { provideApp } from './provide-app.ts';

describe.each(oneEngine)('changes on %s', (engine) => {
  const app = provideApp(engine);
  const { post, read, change, preview, undo, sql } = app;
  const list = (query = '') => read(operatorPaths.changes + query);
  const small = (stock: number) => ({ size: 'Small', stock });
  const setStock = (stock: number, more?: object) => change('set-stock', small(stock), more);
  const readStock = async () =>
    (await sql<{ stock: number }>(`select stock from mask_size where name = 'Small'`))[0]?.stock;
  const entryOf = async (number: number): Promise<AuditEntry | undefined> =>
    (await list()).entries.find((one: AuditEntry) => one.number === number);
  const isOffered = { undo_until: expect.any(String), undo_refusal: null };
  /** The list refuses the undo in the words of the undo itself. */
  async function expectTruth(number: number): Promise<void> {
    const shown = await entryOf(number);
    const { detail } = await undo(number);
    expect([shown?.undo_until, shown?.undo_refusal]).toEqual([null, detail]);
    expect(detail).toEqual(expect.any(String));
  }

  const step = tellStory('goes through one step after the other');

  step('a preview says what would change, and changes nothing', async () => {
    expect(await preview('set-stock', small(30))).toEqual({
      status: 200,
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
    const made = await setStock(30);
    const summary = 'The stock of Small went from 33 to 30.';
    expect(made).toEqual({
      status: 201,
      change: 1,
      summary,
      undo_until: expect.stringMatching(/Z$/),
    });
    expect(await readStock()).toBe(30);
    expect((await list()).entries).toEqual([
      {
        number: 1,
        at: expect.stringMatching(/Z$/),
        actor: { kind: 'token', id: null, name: expect.any(String) },
        action: 'set-stock',
        subject: { kind: 'size', id: 'Small' },
        reason: 'a test',
        summary,
        undo_until: made.undo_until,
        undo_refusal: null,
        undone_by: null,
      },
    ]);
    const back = 'The stock of Small went back from 30 to 33.';
    expect(await undo(1)).toEqual({ status: 201, change: 2, summary: back, undo_until: null });
    expect(await readStock()).toBe(33);
    expect(await undo(1)).toMatchObject({ detail: 'Change 1 was undone already, by 2.' });
    expect(await undo(2)).toMatchObject({ detail: 'Change 2 has no undo.' });
    expect(await undo(99)).toMatchObject({ status: 404 });
    expect((await list()).entries).toMatchObject([
      { number: 2, action: 'undo', subject: { kind: 'change', id: '1' }, reason: 'a mistake' },
      { number: 1, undo_until: null, undone_by: 2 },
    ]);
  });

  step('an undo is offered while it would be made, and refused once another came', async () => {
    const first = (await setStock(20)).change;
    const second = (await setStock(10)).change;
    await expectTruth(first);
    const detail = 'The stock of Small is 10 by now, not 20.';
    expect(await undo(first)).toEqual({ status: 409, detail });
    expect(await undo(second)).toMatchObject({ status: 201 });
    expect(await entryOf(first)).toMatchObject(isOffered);
    expect(await undo(first)).toMatchObject({ status: 201 });
    expect(await readStock()).toBe(33);
  });

  step('an undo is refused after 24 hours', async () => {
    const { change: number } = await setStock(5);
    const record = `undo_record where audit_sequence = ${number}`;
    await sql(
      `update undo_record set until = now() - interval '1 second' where audit_sequence = ${number}`,
    );
    await deleteExpiredUndo(app.database);
    expect(await sql(`select from ${record}`)).toEqual([]);
    expect(await undo(number)).toMatchObject({ status: 409 });
    expect((await list()).entries[0]).toMatchObject({ number, undo_until: null });
    expect(await setStock(33)).toMatchObject({ status: 201 });
  });

  step('of two who saw the same, one wins, and the other gets a sentence', async () => {
    const { seen } = await preview('set-stock', small(30));
    const answers = await Promise.all([28, 29, 30, 31].map((stock) => setStock(stock, { seen })));
    const won = answers.filter(({ status }) => status === 201);
    expect(won).toHaveLength(1);
    const between = /^Change \d+ of the same size came in between: look at the preview again\.$/;
    for (const lost of answers.filter((answer) => answer !== won[0]))
      expect(lost).toEqual({ status: 409, detail: expect.stringMatching(between) });
    expect(won[0]?.summary).toContain(`from 33 to ${await readStock()}`);
  });

  step('of two who undo the same, one wins, and the other gets a sentence', async () => {
    const [{ number }] = (await list()).entries;
    const answers = await Promise.all([undo(number), undo(number), undo(number)]);
    const lost = answers.filter(({ status }) => status !== 201);
    const detail = expect.stringMatching(/^Change \d+ was undone already, by/);
    expect(lost).toEqual([
      { status: 409, detail },
      { status: 409, detail },
    ]);
    expect(await readStock()).toBe(33);
  });

  const setSmall = { kind: 'set-stock', input: small(1), reason: 'x' };
  test.each([
    ['no reason', { ...setSmall, reason: '' }],
    ['an empty reason', { ...setSmall, reason: '  ' }],
    ['an address in the reason', { ...setSmall, reason: 'for ada@example.com' }],
    ['an unknown kind', { ...setSmall, kind: 'set-everything', input: {} }],
    ['no kind', { ...setSmall, kind: undefined }],
    ['an input of another kind', { ...setSmall, input: { member_id: 'x' } }],
    ['a size that does not exist', { ...setSmall, input: { size: 'X', stock: 1 } }],
  ])('%s is refused with one sentence, and leaves no entry', async (_what, body) => {
    const before = await verifyAudit(app.database);
    expect(await post(operatorPaths.changes, body)).toEqual({
      status: 422,
      detail: expect.stringMatching(/^[A-Z].*\.$/),
    });
    expect(await verifyAudit(app.database)).toEqual(before);
  });

  step('the log comes in pages, and by subject', async () => {
    for (let count = 0; count < 30; count += 1) {
      await setStock(count);
      await change('set-stock', { size: 'Large', stock: count });
    }
    const numbers: number[] = [];
    for (let next: number | null | undefined; next !== null; ) {
      const page = await list(next === undefined ? '' : `?before=${next}`);
      numbers.push(...page.entries.map(({ number }: AuditEntry) => number));
      next = page.next as number | null;
    }
    const { entries, difference } = await verifyAudit(app.database);
    expect(difference).toBeNull();
    expect(numbers).toEqual(Array.from({ length: entries }, (_, index) => entries - index));
    const large = await list('?subject_kind=size&subject_id=Large');
    expect(large.entries).toHaveLength(30);
    for (const { subject } of large.entries) expect(subject.id).toBe('Large');
    for (const query of ['?before=0', '?before=x', '?subject_id=Large'])
      expect((await list(query)).detail).toMatch(/^[A-Z].*\.$/);
  });

  step('the sheet of a member claims nothing about undos, which it does not try', async () => {
    const { id } = await app.join('eve@example.com');
    expect(await preview('resend-link', { member_id: id })).toMatchObject({ can_undo: false });
    const { change: number } = await change('adjust-points', { member_id: id, by: 1 });
    expect(await entryOf(number)).toMatchObject(isOffered);
    const { audit } = await read(fillPath(operatorPaths.member, id));
    expect(audit[0]).toMatchObject({ number, undone_by: null });
    expect(audit[0]).not.toHaveProperty('undo_until');
    expect(audit[0]).not.toHaveProperty('undo_refusal');
  });

  step('there is no way back from a freeze once the offers have started', async () => {
    await setStock(33);
    await app.joinGhosts(2);
    await confirmEverybody(app.database);
    const { change: freeze } = await change('freeze-drop', { first: 3, domains: ['example.com'] });
    expect(await entryOf(freeze)).toMatchObject(isOffered);
    await change('announce-draw', { by_rank: 2, drawn_among: 3, source: 'seed' });
    await change('select-entrants');
    const started = await change('start-offers', { minutes: 60, time_zone: 'UTC' });
    expect(started).toMatchObject({ status: 201 });
    await expectTruth(freeze);
  });
});

describe('the undos that a list offers', () => {
  const app = provideApp('postgres');
  const { read, change } = app;

  test('are those of now, read without the lock of joins', async () => {
    const offeredFor = async (kind: string, id: string): Promise<(boolean | string)[]> => {
      const url = `${operatorPaths.changes}?subject_kind=${kind}&subject_id=${id}`;
      const { entries } = (await read(url)) as { entries: AuditEntry[] };
      return entries.map((one) => one.undo_refusal ?? one.undo_until !== null);
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
  });
});

describe('a list that tries all its undos', () => {
  const app = provideApp('embedded');

  test('keeps no join waiting', async () => {
    for (let stock = 1; stock <= 24; stock++) await app.setStock({ Small: stock });
    const answered: string[] = [];
    await Promise.all([
      app.get(operatorPaths.changes).then(() => answered.push('list')),
      app.join('ada@example.com').then(() => answered.push('join')),
    ]);
    expect(answered).toEqual(['join', 'list']);
  });
});

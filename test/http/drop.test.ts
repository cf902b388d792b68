/** Launch day up to the draw, through the operator's calls and the public ones. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DrawRecord } from '../../contract/drop/draw-record.ts';
import type { DropView, GivenView } from '../../contract/drop/drop-views.ts';
import { roundAt } from '../../contract/drop/randomness-rules.ts';
import { verifyDraw } from '../../contract/drop/verify-draw-rules.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { oneEngine } from '../support/engines.ts';
import { announceForRound, SIGNATURE } from '../support/published-round.ts';
import { tellStory } from '../support/tell-story.ts';
import { NOBODY, provideApp } from './provide-app.ts';

/** All members of this file have mailboxes there. */
const domains = ['example.com'];
const TERMS = { minutes: 60, time_zone: 'UTC' };
const NO_OFFERS = { open: 0, passes: 0, declined: 0, expired: 0, cancelled: 0 };
const MASKS = [
  { size: 'Small', masks: 2 },
  { size: 'Large', masks: 1 },
];

describe.each(oneEngine)('a drop on %s', (engine) => {
  const app = provideApp(engine);
  const { ask, get, read, change, refuses, undo, run } = app;
  const ids: string[] = [];
  beforeAll(async () => {
    const first = await app.join('ghost0@example.com');
    ids.push(first.id);
    // The fifth to join was invited, so they are second, behind the one who invited them.
    for (const [index, by] of [undefined, undefined, undefined, first.referral_code].entries())
      ids.push((await app.join(`ghost${index + 1}@example.com`, by)).id);
  });

  const freeze = (input: object) => change('freeze-drop', { domains, ...input });
  /** Everybody who joined meanwhile confirms before. */
  const freezeAll = async (input: object) => {
    await confirmEverybody(app.database);
    return await freeze(input);
  };
  const sentencesOf = async (kind: string, input: object = {}): Promise<string[]> => {
    await confirmEverybody(app.database);
    return (await app.preview(kind, input)).sentences;
  };
  const getDrop = (): Promise<DropView> => read(apiPaths.drop);
  const getPlace = (id = '') => read(fillPath(apiPaths.dropPlace, id));
  const putSizes = async (id = '', wish: object = {}) => {
    const answer = await ask('PUT', fillPath(apiPaths.sizes, id), wish, NOBODY);
    return { status: answer.statusCode, ...answer.json() };
  };
  const getGiven = (): Promise<GivenView> => read(fillPath(apiPaths.given, 1));
  const readDraw = (number = 1) => get(fillPath(apiPaths.draw, number));
  const getDraw = async (number = 1) => (await readDraw(number)).json() as DrawRecord;
  const join = () =>
    app.post(apiPaths.join, { email: 'later@example.com', referred_by: null }, NOBODY);
  const select = { signature: SIGNATURE };

  const step = tellStory('goes through one step after the other');

  step('is open at first, and has nothing to show', async () => {
    expect(await getDrop()).toMatchObject({ number: 1, state: 'open', list_hash: null });
    expect(await read(apiPaths.stats)).not.toHaveProperty('drop');
    expect(await getPlace(ids[0])).toEqual({
      drop: 1,
      state: 'open',
      position: null,
      place: null,
      size: null,
      odds: null,
      edition: null,
      can_return: false,
      is_mailed: true,
      is_paused: false,
      words: null,
      card_entry: null,
      hash: null,
    });
    expect(await getPlace(randomUUID())).toEqual({ detail: expect.any(String) });
    expect((await readDraw()).statusCode).toBe(404);
    expect((await readDraw(2)).json().detail).toBe('There is no frozen list of a drop 2.');
    const rule = { by_rank: 3, drawn_among: 0, source: 'none' };
    await refuses('announce-draw', rule, 'Drop 1 is open: this needs one that is frozen.');
  });

  step('takes the sizes that members wish, as they are on its page', async () => {
    const any = {
      sizes: [],
      takes_any: true,
      choices: ['Small', 'Medium', 'Large'],
      is_open: true,
    };
    expect(await read(fillPath(apiPaths.sizes, ids[0] ?? ''))).toEqual(any);
    const wish = { sizes: ['Large', 'Small'], takes_any: true };
    expect(await putSizes(ids[0], wish)).toEqual({ status: 200, ...any, ...wish });
    expect(await putSizes(ids[0], { sizes: [], takes_any: true })).toMatchObject(any);
    for (const [sizes, detail] of [
      [['XL'], 'There is no size "XL".'],
      [['Small', 'Small'], 'A size is named twice.'],
      [[], 'A member takes at least one size.'],
    ] as const)
      expect(await putSizes(ids[0], { sizes, takes_any: false })).toEqual({ status: 422, detail });
    for (const unknown of ['x', randomUUID()])
      expect(await putSizes(unknown, wish)).toMatchObject({ status: 404 });
  });

  step('is frozen as the line is then, after a preview that changes nothing', async () => {
    const wish = { sizes: ['Large', 'Small'], takes_any: false };
    expect(await putSizes(ids[1], wish)).toMatchObject({ status: 200 });
    expect(await sentencesOf('freeze-drop', { first: 3, domains })).toEqual([
      'The first 3 members of 5 are frozen, in the order that they have now.',
      'None of them has a held credit.',
      '1 entrant named sizes; the others take any.',
      '0 entrants weigh more than one ticket in the draw.',
      'Joins go on, behind the frozen list.',
      'The list of tickets and its hash are public at once.',
      'Only members and friends who have confirmed their address count.',
      'The list has 1 friend, 1 confirmed, 1 counts: 0 positions differ from the line.',
      expect.stringMatching(/^The site has not shown a time for this/),
    ]);
    expect(await sentencesOf('freeze-drop', { first: 3 })).toContain(
      '3 members are left out: a domain that is no known mail provider has two tickets, unless ' +
        'you allow it: 3 of example.com.',
    );
    await refuses('freeze-drop', { first: 3, domains: ['a@b'] }, '"a@b" is no domain.', 422);
    expect((await getDrop()).state).toBe('open');
    expect((await sentencesOf('freeze-drop', { first: 1 }))[0]).toBe(
      'The first member of 5 is frozen, in the order that they have now.',
    );
    const made = await freeze({ first: 3 });
    expect(made).toMatchObject({ status: 201, summary: '3 entrants were frozen for drop 1.' });
    await app.join('late@example.com');
    expect(await putSizes(ids[1], { sizes: [], takes_any: true })).toEqual({
      status: 409,
      detail: 'The line is frozen: sizes can no longer be changed.',
    });
    const record = await getDraw();
    const told = record.entrants.map(({ position, points, sizes }) => [position, points, sizes]);
    expect(told).toEqual([
      [1, 2, []],
      [2, 1, []],
      [3, 0, ['Large', 'Small']],
    ]);
    expect(verifyDraw(record, (await getDrop()).list_hash).problems).toEqual([]);
    expect(await read(apiPaths.stats)).toMatchObject({ drop: 'frozen' });
    expect(await getPlace(ids[4])).toMatchObject({ state: 'frozen', position: 2, place: null });
    expect(await getPlace(ids[3])).toMatchObject({ position: null });
    expect(await undo(made.change)).toMatchObject({ status: 201 });
    expect([(await getDrop()).state, (await readDraw()).statusCode]).toEqual(['open', 404]);
  });

  step('stops joins if the operator says so, and its undo lets them go on', async () => {
    const made = await freezeAll({ first: 5, pause_message: 'The line is frozen.' });
    expect(await getDrop()).toMatchObject({ state: 'frozen', paused: 'The line is frozen.' });
    expect(await join()).toMatchObject({ detail: 'The line is frozen.' });
    expect(await getPlace(ids[0])).toMatchObject({ state: 'frozen', is_paused: true });
    expect(await freeze({ first: 5 })).toMatchObject({ status: 409 });
    expect(await undo(made.change)).toMatchObject({ status: 201 });
    expect(await join()).toMatchObject({ status: 201 });
  });

  step('keeps its list and rule once the draw is announced', async () => {
    const frozen = await freezeAll({ first: 5 });
    expect(await change('unfreeze-drop')).toMatchObject({ status: 201 });
    expect(await undo(frozen.change)).toMatchObject({ status: 409 });
    const again = await freeze({ first: 5 });
    const renamed = { size: 'Small', name: 'S' };
    await refuses('rename-size', renamed, 'Drop 1 is frozen: its sizes keep their names.');
    const draw_at = new Date(Date.now() + 600_000).toISOString();
    const wanted = { by_rank: 1, drawn_among: 5, source: 'quicknet', masks: MASKS, draw_at };
    for (const [input, detail] of [
      [{ ...wanted, masks: [{ size: 'Small', masks: 34 }] }, 'Only 33 of size Small are available'],
      [{ ...wanted, masks: [{ size: 'XL', masks: 1 }] }, 'There is no size XL.'],
      [{ ...wanted, drawn_among: 6 }, 'Masks can be drawn among the first 1 to 5 entrants, not 6.'],
      [{ ...wanted, draw_at: new Date().toISOString() }, 'The draw must be 1 min to 30 days after'],
      [{ ...wanted, draw_at: draw_at.replace('Z', '') }, 'The draw needs a time such as 2026-'],
    ] as const)
      expect((await change('announce-draw', input)).detail).toMatch(detail);
    const rule = { ...wanted, drawn_among: 2 };
    expect(await sentencesOf('announce-draw', rule)).toContain(
      'Too few entrants: about 1 mask would reach nobody.',
    );
    expect(await change('announce-draw', wanted)).toMatchObject({ status: 201, undo_until: null });
    const { announcement, announcement_hash } = await getDrop();
    expect(announcement).toMatchObject({
      by_rank: 1,
      drawn_among: 5,
      masks: MASKS,
      randomness: { source: 'quicknet', round: roundAt(Date.parse(draw_at)) },
    });
    const odds = await Promise.all(ids.map(async (id) => (await getPlace(id)).odds));
    expect(odds).toContainEqual({
      kind: 'by-rank',
      percent: 100,
      masks: 2,
      among: 4,
      weight: null,
    });
    expect(odds).toContainEqual(
      expect.objectContaining({ kind: 'draw', masks: 2, among: 4, weight: 2 }),
    );
    expect(verifyDraw(await getDraw(), announcement_hash).problems).toEqual([]);
    for (const refused of [
      await change('announce-draw', wanted),
      await change('unfreeze-drop'),
      await undo(again.change),
    ])
      expect(refused.status).toBe(409);
    const wrong = /^This is not the signature of round \d+ of quicknet\.$/;
    await refuses('select-entrants', select, wrong, 422);
  });

  step('holds what was announced, unless it is amended in public', async () => {
    const allocate = (quantity: number) => ({ size: 'Small', note: 'the press', quantity });
    const announced = /^2 of size Small are announced .* and not offered yet: amend /;
    await refuses('allocate-masks', allocate(32), announced);
    expect(await change('allocate-masks', allocate(31))).toMatchObject({ status: 201 });
    await refuses('set-stock', { size: 'Small', stock: 32 }, announced);
    const amend = (masks: number, public_reason: string) => ({
      size: 'Small',
      masks,
      public_reason,
    });
    expect(await change('amend-draw', amend(1, 'see ghost@example.com'))).toMatchObject({
      status: 422,
    });
    const nothing = /^Of size Small, 0 are offered or given, 2 announced, and 2 /;
    for (const masks of [2, 3]) await refuses('amend-draw', amend(masks, 'found one'), nothing);
    const before = await getDraw();
    const amended = await change('amend-draw', amend(1, 'One was torn.'));
    expect(amended).toMatchObject({ status: 201, undo_until: null });
    expect(await change('allocate-masks', allocate(1))).toMatchObject({ status: 201 });
    expect(await getGiven()).toMatchObject({
      sizes: [
        { size: 'Small', announced: 2, given: 1, ...NO_OFFERS },
        { size: 'Large', announced: 1, given: 1, ...NO_OFFERS },
      ],
      amendments: [{ masks: [{ size: 'Small', masks: 1 }, MASKS[1]], reason: 'One was torn.' }],
    });
    expect(await getDraw()).toEqual(before);
    expect((await get(fillPath(apiPaths.given, 2))).statusCode).toBe(404);
  });

  step('is drawn by the announced round alone, once, as anyone can recompute', async () => {
    // A published round stands for that of the announcement, which has not come.
    const announcement_hash = await announceForRound(app.database, await getDraw());
    for (const points of [7, -7]) {
      await app.sql(`update entrant set points = points + ${points} where position = 2`);
      const changed = /^The database was changed.* The list has the hash/;
      if (points > 0) await refuses('select-entrants', select, changed);
    }
    const noRelay = /^No relay is set\. Any relay of drand shows .*: paste it/;
    await refuses('select-entrants', {}, noRelay);
    const [seen] = await sentencesOf('select-entrants', select);
    expect(seen).toBe('3 entrants are chosen of 5; the others follow in the draw order.');
    expect((await getDraw()).order).toBeNull();
    expect(await change('select-entrants', select)).toMatchObject({
      status: 201,
      summary: '3 entrants were chosen for drop 1.',
      undo_until: null,
    });
    const record = await getDraw();
    expect(record.order).toHaveLength(5);
    const { position, size } = record.order?.[0] ?? { position: 0, size: null };
    const places = await Promise.all(ids.map(getPlace));
    const [hash, edition] = [announcement_hash, expect.objectContaining({ number: 1 })];
    const chosen = { drop: 1, state: 'selected', position, place: 1, edition, size, hash };
    expect(places).toContainEqual(expect.objectContaining(chosen));
    expect(verifyDraw(record, announcement_hash).problems).toEqual([]);
    await refuses('select-entrants', select, 'Drop 1 is selected: this needs one that is frozen.');
  });

  step('offers no more than was announced, as it was amended, and counts it for all', async () => {
    await change('set-stock', { size: 'Large', stock: 34 });
    expect(await change('start-offers', TERMS)).toMatchObject({ status: 201 });
    await run('making offers');
    const { sizes } = await getGiven();
    expect(sizes.map(({ size, open }) => `${size} ${open}`)).toEqual(['Small 1', 'Large 1']);
    await app.sql(`update offer set state = 'accepted', code = 'A', settled_at = now()
      where size = 'Large'`);
    expect((await getGiven()).sizes[1]).toMatchObject({ open: 0, passes: 1 });
  });

  step('ends for good, stays public, and the next one is drawn by a seed', async () => {
    expect(await change('open-drop')).toMatchObject({ status: 409 });
    const before = (await readDraw()).payload;
    expect(await change('close-drop')).toMatchObject({ status: 201 });
    expect(await change('open-drop')).toMatchObject({ status: 201, summary: 'Drop 2 was opened.' });
    expect(await getDrop()).toMatchObject({ number: 2, state: 'open' });
    expect((await readDraw()).payload).toBe(before);
    const [small, large] = (await getGiven()).sizes;
    expect([small?.expired, large?.passes]).toEqual([1, 1]);
    const all = { first: 10_000, domains, losses_count: true };
    const told = await sentencesOf('freeze-drop', all);
    expect(told).toContain('1 member is left out: they hold a mask of an earlier drop.');
    expect(told).toContain('3 entrants have lost drops, and one more ticket in the draw for each.');
    const withHolders = { first: 10_000, domains, holders_enter: true };
    expect((await app.preview('freeze-drop', withHolders)).counts).toMatchObject({
      entrants: 7,
      with_losses: 0,
    });
    expect(await change('freeze-drop', all)).toMatchObject({ status: 201 });
    const { entrants } = await getDraw(2);
    expect(entrants.map(({ weight }) => weight).toSorted()).toEqual([2, 2, 2, 4, 4, 4]);
    expect(await change('announce-draw', { source: 'seed' })).toMatchObject({ status: 201 });
    expect((await getDrop()).announcement).toMatchObject({ by_rank: 0, drawn_among: 6 });
    expect((await getDraw(2)).evidence).toBeNull();
    expect(await change('select-entrants')).toMatchObject({ status: 201 });
    const record = await getDraw(2);
    expect(record.evidence).toMatch(/^[0-9a-f]{64}$/);
    expect(verifyDraw(record, (await getDrop()).announcement_hash).problems).toEqual([]);
    expect(record.order?.filter(({ size }) => size !== null)).toHaveLength(6);
    await change('start-offers', TERMS);
    expect((await app.preview('tell-others')).counts).toEqual({ mails: 6 }); // One has a mask.
  });
});

describe('two servers on one PostgreSQL', () => {
  const app = provideApp('postgres');
  let other: App;
  beforeAll(async () => {
    other = await app.openAnother();
    await app.joinGhosts(4);
    await confirmEverybody(app.database);
  });
  afterAll(() => other.close());

  test('take each step of a drop once, of four who ask at once', async () => {
    for (const [kind, input] of Object.entries({
      'freeze-drop': { first: 10, domains },
      'announce-draw': { by_rank: 1, drawn_among: 4, source: 'seed' },
      'select-entrants': {},
      'start-offers': TERMS,
      'tell-others': {},
      'close-drop': {},
      'open-drop': {},
    })) {
      const answers = [app, other, app, other].map((one) => app.changeOn(one, kind, input));
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses.sort(), kind).toEqual([201, 409, 409, 409]);
      const { entries } = await app.read(operatorPaths.changes);
      expect(entries.filter(({ action }: { action: string }) => action === kind)).toHaveLength(1);
    }
  });
});

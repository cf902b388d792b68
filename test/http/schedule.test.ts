/** Steps of a drop that the server takes by itself, through the calls of operators and visitors. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { DrawRecord } from '../../contract/drop/draw-record.ts';
import type { DropView } from '../../contract/drop/drop-views.ts';
import { verifyDraw } from '../../contract/drop/verify-draw-rules.ts';
import type { AuditPage } from '../../contract/operator/changes.ts';
import type { Schedule } from '../../contract/operator/drop/schedule.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { oneEngine } from '../support/engines.ts';
import { announceForRound, SIGNATURE } from '../support/published-round.ts';
import { tellStory } from '../support/tell-story.ts';
import { readKeptMail } from './mail-links.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const OWNER = 'owner@example.com';
const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();

describe.each(oneEngine)('the schedule of a drop on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine);
    for (const name of ['ada', 'grace', 'edith']) await app.join(`${name}@example.com`);
    await confirmEverybody(app.database);
    await post(operatorPaths.operators, { email: OWNER, name: 'Mary', role: 'owner' });
  });
  afterAll(() => app.remove());

  const post = async (url: string, payload: object) => {
    const answer = await app.fastify.inject({ method: 'POST', url, payload, headers: HEADERS });
    return { status: answer.statusCode, ...answer.json() };
  };
  const change = (kind: string, input: object = {}) =>
    post(operatorPaths.changes, { kind, input, reason: 'launch day' });
  const preview = async (kind: string, input: object = {}) =>
    (await post(operatorPaths.previewChange, { kind, input })).sentences as string[];
  const schedule = (step: object, at: string) => ({ at, time_zone: 'Europe/Berlin', step });
  const ask = async <Answer>(url: string) =>
    (await app.fastify.inject({ url, headers: HEADERS })).json() as Answer;
  const getSteps = async () => (await ask<Schedule>(operatorPaths.schedule)).steps;
  const getDrop = () => ask<DropView>(apiPaths.drop);
  /** As if the clock were set forward: everything that is scheduled is due. */
  const setForward = () =>
    app.database.runSql(`update scheduled_step set due_at = clock_timestamp() - interval '3 days'
      where state = 'scheduled'`);
  const takeDue = async (on: Pick<TestApp, 'scheduledWork'> = app) =>
    on.scheduledWork.find(({ name }) => name === 'taking scheduled steps')?.run();

  const step = tellStory('goes through one step after the other');

  step('has a preview in two time zones, and refuses what cannot be', async () => {
    const freeze = schedule({ 'freeze-drop': { first: 2 } }, '2099-01-01T00:00Z');
    expect(await change('schedule-step', freeze)).toMatchObject({
      status: 422,
      detail: 'This time is more than a year ahead.',
    });
    expect(await change('schedule-step', { ...freeze, time_zone: 'Mars' })).toMatchObject({
      status: 422,
    });
    for (const step of [{}, { 'freeze-drop': { first: 2 }, 'close-drop': {} }])
      expect(await change('schedule-step', schedule(step, inHours(1)))).toMatchObject({
        status: 422,
        detail: expect.stringMatching(/^Schedule one of freeze-drop, /),
      });
    const soon = { by_rank: 0, drawn_among: 2, source: 'quicknet', draw_at: inHours(1) };
    expect(
      await change('schedule-step', schedule({ 'announce-draw': soon }, inHours(1))),
    ).toMatchObject({ status: 422, detail: expect.stringMatching(/^The draw must be 5 min/) });
    const at = inHours(1);
    const sentences = await preview('schedule-step', schedule({ 'freeze-drop': { first: 2 } }, at));
    expect(sentences[0]).toMatch(/^The line is frozen on .* \(Europe\/Berlin\), which is /);
    expect(sentences[0]).toContain(at);
    expect(sentences).toContain(
      'The first 2 members of 3 are frozen, in the order that they have now.',
    );
    expect(await getSteps()).toEqual([]);
  });

  step('can be changed, undone and taken back, and is public once it is published', async () => {
    const freeze = { 'freeze-drop': { first: 2 } };
    const made = await change('schedule-step', schedule(freeze, inHours(1)));
    expect(made).toMatchObject({ status: 201 });
    expect((await getDrop()).next_step).toBeNull();
    expect((await app.fastify.inject(pagePaths.calendar)).payload).not.toContain('VEVENT');
    expect(await change('publish-schedule', { is_public: true })).toMatchObject({ status: 201 });
    expect(await change('publish-schedule', { is_public: true })).toMatchObject({ status: 409 });
    const later = inHours(2);
    const moved = await change('schedule-step', schedule(freeze, later));
    const { next_step, now } = await getDrop();
    expect(next_step).toEqual({ step: 'freeze-drop', at: later, time_zone: 'Europe/Berlin' });
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000);
    const calendar = async () => (await app.fastify.inject(pagePaths.calendar)).payload;
    expect(await calendar()).toContain('UID:drop-1-freeze-drop@line.example.com\r\nSEQUENCE:1\r\n');
    const undo = (number: number) =>
      post(fillPath(operatorPaths.undoChange, String(number)), { reason: 'a mistake' });
    expect(await undo(made.change)).toMatchObject({ status: 409 });
    expect(await undo(moved.change)).toMatchObject({ status: 201 });
    expect((await getDrop()).next_step?.at).not.toBe(later);
    expect(await calendar()).toContain('\r\nSEQUENCE:2\r\n');
    const cancelled = await change('unschedule-step', { step: 'freeze-drop' });
    expect(cancelled.summary).toMatch(/^No longer scheduled for drop 1: The line is frozen on /);
    expect((await getDrop()).next_step).toBeNull();
    expect(await change('unschedule-step', { step: 'freeze-drop' })).toMatchObject({ status: 409 });
    expect(await undo(cancelled.change)).toMatchObject({ status: 201 });
    expect(await change('unschedule-step', { step: 'freeze-drop' })).toMatchObject({ status: 201 });
    expect(await getSteps()).toMatchObject([{ step: 'freeze-drop', state: 'cancelled' }]);
    await setForward();
    await takeDue();
    expect((await getDrop()).state).toBe('open');
  });

  step('is carried out once by several servers, however late', async () => {
    await change('schedule-step', schedule({ 'freeze-drop': { first: 2 } }, inHours(1)));
    const rule = { by_rank: 1, drawn_among: 2, source: 'seed' };
    const masks = [{ size: 'Small', masks: 2 }];
    await change('schedule-step', schedule({ 'announce-draw': { ...rule, masks } }, inHours(2)));
    await change('schedule-step', schedule({ 'select-entrants': {} }, inHours(2)));
    await takeDue();
    expect((await getDrop()).state).toBe('open');
    await setForward();
    const servers = await Promise.all([app.openAnother(), app.openAnother()]);
    await Promise.all([...servers, app, app].map((server) => takeDue(server)));
    await Promise.all(servers.map((server) => server.close()));
    expect(await getDrop()).toMatchObject({ state: 'selected', next_step: null });
    expect(await getSteps()).toMatchObject(
      ['freeze-drop', 'announce-draw', 'select-entrants'].map((step) => ({
        ...{ step, state: 'done', failure: null, scheduled_by: 'operator token' },
      })),
    );
    const { entries } = await ask<AuditPage>(
      `${operatorPaths.changes}?subject_kind=drop&subject_id=1`,
    );
    const taken = entries.filter(({ actor }) => actor.kind === 'system');
    expect(taken.map(({ action, reason }) => [action, reason])).toEqual([
      ['select-entrants', 'launch day'],
      ['announce-draw', 'launch day'],
      ['freeze-drop', 'launch day'],
    ]);
  });

  step('a step that cannot be taken fails for good, and owners are mailed once', async () => {
    const offers = { minutes: 60, time_zone: 'Mars' };
    await change('schedule-step', schedule({ 'start-offers': offers }, inHours(1)));
    await setForward();
    const another = await app.openAnother();
    await Promise.all([takeDue(), takeDue(another)]);
    await another.close();
    await takeDue();
    const [failed] = (await getSteps()).filter(({ step }) => step === 'start-offers');
    expect(failed).toMatchObject({
      state: 'failed',
      failure: 'The time zone must be one such as Europe/Berlin.',
    });
    expect((await getDrop()).state).toBe('selected');
    const mails = readKeptMail(app).filter((mail) => mail.includes('a step of the drop failed'));
    expect(mails).toHaveLength(1);
    // Taken by hand after all, it is done.
    await change('start-offers', { minutes: 60, time_zone: 'UTC' });
    expect((await getSteps()).find(({ step }) => step === 'start-offers')).toMatchObject({
      state: 'done',
      failure: null,
    });
  });

  step('ends with the drop: what was still to come is cancelled', async () => {
    const refused = await change(
      'schedule-step',
      schedule({ 'freeze-drop': { first: 2 } }, inHours(1)),
    );
    expect(refused).toMatchObject({ status: 409 });
    await change('schedule-step', schedule({ 'close-drop': {} }, inHours(1)));
    expect(await change('close-drop')).toMatchObject({ status: 201 });
    expect((await getSteps()).find(({ step }) => step === 'close-drop')?.state).toBe('done');
    await setForward();
    await takeDue();
    await change('open-drop');
    expect(await ask<Schedule>(operatorPaths.schedule)).toMatchObject({
      is_public: false,
      steps: [],
    });
  });

  step(
    'a draw fetches its round from relays, waits for them, and says when none helps',
    async () => {
      let signature = 'a lie';
      const relay = createServer((_request, response) =>
        response.end(JSON.stringify({ signature })),
      );
      await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
      const drandRelays = [`http://127.0.0.1:${(relay.address() as AddressInfo).port}`];
      /** A server of its own, which has not asked before. */
      const takeWithRelay = async () => {
        const server = await app.openAnother({ drandRelays });
        await takeDue(server);
        await server.close();
      };
      const getSelect = async () =>
        (await getSteps()).find((one) => one.step === 'select-entrants');
      const plan = () => change('schedule-step', schedule({ 'select-entrants': {} }, inHours(1)));
      try {
        await change('freeze-drop', { first: 2 });
        const draw_at = inHours(1);
        await change('announce-draw', { by_rank: 0, drawn_among: 2, source: 'quicknet', draw_at });
        await announceForRound(app.database, await ask<DrawRecord>(fillPath(apiPaths.draw, 2)));
        await plan();
        await setForward();
        await takeWithRelay();
        expect(await getSelect()).toMatchObject({
          state: 'failed',
          failure: expect.stringMatching(
            /^No right answer came from 127\.0\.0\.1:\d+\. .* paste it/,
          ),
        });
        await plan();
        await app.database.runSql(`update scheduled_step set due_at = clock_timestamp()
        where state = 'scheduled'`);
        await takeWithRelay();
        expect(await getSelect()).toMatchObject({ state: 'scheduled', failure: null });
        signature = SIGNATURE;
        await takeWithRelay();
        expect(await getSelect()).toMatchObject({ state: 'done' });
        const record = await ask<DrawRecord>(fillPath(apiPaths.draw, 2));
        expect(record.evidence).toBe(SIGNATURE);
        expect(verifyDraw(record).problems).toEqual([]);
      } finally {
        relay.close();
      }
    },
  );
});

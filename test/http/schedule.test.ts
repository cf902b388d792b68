/** Steps of a drop that the server takes by itself, through the calls of operators and visitors. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect } from 'vitest';
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
import { provideApp } from './provide-app.ts';

const OWNER = 'owner@example.com';
const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();

describe.each(oneEngine)('the schedule of a drop on %s', (engine) => {
  const app = provideApp(engine);
  const { post, read, change, refuses, undo } = app;
  beforeAll(async () => {
    await app.joinGhosts(3);
    await confirmEverybody(app.database);
    await post(operatorPaths.operators, { email: OWNER, name: 'Mary', role: 'owner' });
  });

  const freeze = { 'freeze-drop': { first: 2 } };
  const scheduled = (step: object, at: string) => ({ at, time_zone: 'Europe/Berlin', step });
  const schedule = (step: object, at: string) => change('schedule-step', scheduled(step, at));
  const getSteps = async (): Promise<Schedule['steps']> =>
    (await read(operatorPaths.schedule)).steps;
  const stepOf = async (name: string) => (await getSteps()).find(({ step }) => step === name);
  const getDrop = (): Promise<DropView> => read(apiPaths.drop);
  const readDraw = (): Promise<DrawRecord> => read(fillPath(apiPaths.draw, 2));
  const readCalendar = async () => (await app.get(pagePaths.calendar)).payload;
  /** Sets the clock forward, so to speak: everything that is scheduled is due. */
  const setForward = () =>
    app.sql(`update scheduled_step set due_at = clock_timestamp() - interval '3 days'
      where state = 'scheduled'`);
  const takeDue = (on: Pick<typeof app, 'scheduledWork'> = app) =>
    app.run('taking scheduled steps', on);

  const step = tellStory('goes through one step after the other');

  step('has a preview in two time zones, and refuses what cannot be', async () => {
    const never = scheduled(freeze, '2099-01-01T00:00Z');
    await refuses('schedule-step', never, 'This time is more than a year ahead.', 422);
    await refuses('schedule-step', { ...never, time_zone: 'Mars' }, /./, 422);
    for (const step of [{}, { ...freeze, 'close-drop': {} }])
      await refuses('schedule-step', scheduled(step, inHours(1)), /^Schedule one of freeze-/, 422);
    const soon = { by_rank: 0, drawn_among: 2, source: 'quicknet', draw_at: inHours(1) };
    const draw = scheduled({ 'announce-draw': soon }, inHours(1));
    await refuses('schedule-step', draw, /^The draw must be 5 min/, 422);
    const at = inHours(1);
    const { sentences } = await app.preview('schedule-step', scheduled(freeze, at));
    expect(sentences[0]).toMatch(/^The line is frozen on .* \(Europe\/Berlin\), which is /);
    expect(sentences[0]).toContain(at);
    expect(sentences).toContain(
      'The first 2 members of 3 are frozen, in the order that they have now.',
    );
    expect(await getSteps()).toEqual([]);
  });

  step('can be changed, undone and taken back, and is public once it is published', async () => {
    const made = await schedule(freeze, inHours(1));
    expect(made).toMatchObject({ status: 201 });
    expect((await getDrop()).next_step).toBeNull();
    expect(await readCalendar()).not.toContain('VEVENT');
    const publish = () => change('publish-schedule', { is_public: true });
    expect([(await publish()).status, (await publish()).status]).toEqual([201, 409]);
    const later = inHours(2);
    const moved = await schedule(freeze, later);
    const { next_step, now } = await getDrop();
    expect(next_step).toEqual({ step: 'freeze-drop', at: later, time_zone: 'Europe/Berlin' });
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000);
    expect(await readCalendar()).toContain(
      'UID:drop-1-freeze-drop@line.example.com\r\nSEQUENCE:1\r\n',
    );
    expect(await undo(made.change)).toMatchObject({ status: 409 });
    expect(await undo(moved.change)).toMatchObject({ status: 201 });
    expect((await getDrop()).next_step?.at).not.toBe(later);
    expect(await readCalendar()).toContain('\r\nSEQUENCE:2\r\n');
    const unschedule = () => change('unschedule-step', { step: 'freeze-drop' });
    const cancelled = await unschedule();
    expect(cancelled.summary).toMatch(/^No longer scheduled for drop 1: The line is frozen on /);
    expect((await getDrop()).next_step).toBeNull();
    expect(await unschedule()).toMatchObject({ status: 409 });
    expect(await undo(cancelled.change)).toMatchObject({ status: 201 });
    expect(await unschedule()).toMatchObject({ status: 201 });
    expect(await getSteps()).toMatchObject([{ step: 'freeze-drop', state: 'cancelled' }]);
    await setForward();
    await takeDue();
    expect((await getDrop()).state).toBe('open');
  });

  step('is carried out once by several servers, however late', async () => {
    await schedule(freeze, inHours(1));
    const rule = { by_rank: 1, drawn_among: 2, source: 'seed' };
    const masks = [{ size: 'Small', masks: 2 }];
    await schedule({ 'announce-draw': { ...rule, masks } }, inHours(2));
    await schedule({ 'select-entrants': {} }, inHours(2));
    await takeDue();
    expect((await getDrop()).state).toBe('open');
    await setForward();
    const servers = await Promise.all([app.openAnother(), app.openAnother()]);
    await Promise.all([...servers, app, app].map((server) => takeDue(server)));
    await Promise.all(servers.map((server) => server.close()));
    expect(await getDrop()).toMatchObject({ state: 'selected', next_step: null });
    const names = ['freeze-drop', 'announce-draw', 'select-entrants'];
    expect(await getSteps()).toMatchObject(
      names.map((step) => ({
        step,
        state: 'done',
        failure: null,
        scheduled_by: 'operator token',
      })),
    );
    const log = `${operatorPaths.changes}?subject_kind=drop&subject_id=1`;
    const { entries }: AuditPage = await read(log);
    const taken = entries.filter(({ actor }) => actor.kind === 'system');
    expect(taken.map(({ action, reason }) => [action, reason])).toEqual(
      names.toReversed().map((name) => [name, 'a test']),
    );
  });

  step('a step that cannot be taken fails for good, and owners are mailed once', async () => {
    await schedule({ 'start-offers': { minutes: 60, time_zone: 'Mars' } }, inHours(1));
    await setForward();
    const another = await app.openAnother();
    await Promise.all([takeDue(), takeDue(another)]);
    await another.close();
    await takeDue();
    expect(await stepOf('start-offers')).toMatchObject({
      state: 'failed',
      failure: 'The time zone must be one such as Europe/Berlin.',
    });
    expect((await getDrop()).state).toBe('selected');
    const mails = readKeptMail(app).filter((mail) => mail.includes('a step of the drop failed'));
    expect(mails).toHaveLength(1);
    // Taken by hand after all, it is done.
    await change('start-offers', { minutes: 60, time_zone: 'UTC' });
    expect(await stepOf('start-offers')).toMatchObject({ state: 'done', failure: null });
  });

  step('ends with the drop: what was still to come is cancelled', async () => {
    expect(await schedule(freeze, inHours(1))).toMatchObject({ status: 409 });
    await schedule({ 'close-drop': {} }, inHours(1));
    expect(await change('close-drop')).toMatchObject({ status: 201 });
    expect(await stepOf('close-drop')).toMatchObject({ state: 'done' });
    await setForward();
    await takeDue();
    await change('open-drop');
    expect(await read(operatorPaths.schedule)).toMatchObject({ is_public: false, steps: [] });
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
        return await stepOf('select-entrants');
      };
      const plan = () => schedule({ 'select-entrants': {} }, inHours(1));
      try {
        await change('freeze-drop', { first: 2 });
        const draw_at = inHours(1);
        await change('announce-draw', { by_rank: 0, drawn_among: 2, source: 'quicknet', draw_at });
        await announceForRound(app.database, await readDraw());
        await plan();
        await setForward();
        expect(await takeWithRelay()).toMatchObject({
          state: 'failed',
          failure: expect.stringMatching(
            /^No right answer came from 127\.0\.0\.1:\d+\. .* paste it/,
          ),
        });
        await plan();
        await app.sql(`update scheduled_step set due_at = clock_timestamp()
        where state = 'scheduled'`);
        expect(await takeWithRelay()).toMatchObject({ state: 'scheduled', failure: null });
        signature = SIGNATURE;
        expect(await takeWithRelay()).toMatchObject({ state: 'done' });
        const record = await readDraw();
        expect(record.evidence).toBe(SIGNATURE);
        expect(verifyDraw(record).problems).toEqual([]);
      } finally {
        relay.close();
      }
    },
  );
});

/** An app for the tests around it, with what its owner, members and visitors ask of it. */
import type { Logger } from 'pino';
import { afterAll, beforeAll, expect } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { verifyAudit } from '../../server/access/audit/verify-audit.ts';
import type { App } from '../../server/app.ts';
import type { Config } from '../../server/config.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import type { Engine } from '../support/engines.ts';
import { readKeptMail, settleMail } from './mail-links.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Headers = Readonly<Record<string, string>>;
export type ProvidedApp = TestApp & ReturnType<typeof callsOf>;

export const AS_OWNER: Headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
export const NOBODY: Headers = {};

/**
 * Opens the app before the tests of the file or group, and removes it after them, as well as what
 * they have put in the place of `fetch`.
 */
export function provideApp(
  engine: Engine,
  settings: Partial<Config> = {},
  log: Logger | false = false,
  open: typeof openTestApp = openTestApp,
): ProvidedApp {
  const app = {} as ProvidedApp;
  Object.assign(app, callsOf(app));
  beforeAll(async () => {
    Object.assign(app, await open(engine, settings, log));
  });
  const { fetch } = globalThis;
  afterAll(() => {
    globalThis.fetch = fetch;
    return app.remove();
  });
  return app;
}

/** Calls of an app, whose answers are the fields of their body and the `status`. */
function callsOf(app: TestApp) {
  const ask = (
    method: Method,
    url: string,
    payload?: object,
    headers: Headers = AS_OWNER,
    on: App = app,
  ) => on.fastify.inject({ method, url, headers, ...(payload && { payload }) });
  const post = async (url: string, payload: object = {}, headers?: Headers, on?: App) => {
    const answer = await ask('POST', url, payload, headers, on);
    return { status: answer.statusCode, ...(answer.payload !== '' && answer.json()) };
  };
  const get = (url: string, headers?: Headers) => ask('GET', url, undefined, headers);
  const read = async (url: string) => (await get(url)).json();
  const change = (kind: string, input: object = {}, more: object = {}) =>
    post(operatorPaths.changes, { kind, input, reason: 'a test', ...more });
  /** Takes scheduled work by its name, until the work that it began has ended, too. */
  const run = async (work: string, on: Pick<App, 'scheduledWork'> = app) => {
    const begun = await on.scheduledWork.find(({ name }) => name === work)?.run();
    await Promise.all(Array.isArray(begun) ? begun : []);
  };
  const setStock = async (stock: Readonly<Record<string, number>>) => {
    for (const [size, masks] of Object.entries(stock))
      await change('set-stock', { size, stock: masks });
  };
  /** Freezes a line in which everybody has confirmed, and chooses the first of it by rank. */
  const chooseByRank = async (masks: number, frozen = masks) => {
    await confirmEverybody(app.database);
    await change('freeze-drop', { first: frozen, domains: ['example.com'] });
    await change('announce-draw', { by_rank: masks, drawn_among: 0, source: 'none' });
    await change('select-entrants');
  };
  return {
    ask,
    post,
    get,
    read,
    change,
    run,
    setStock,
    chooseByRank,
    /** Expects that a change is refused in these words. */
    refuses: async (kind: string, input: object, words: string | RegExp, status = 409) =>
      expect(await change(kind, input), kind).toEqual({
        status,
        detail: typeof words === 'string' ? words : expect.stringMatching(words),
      }),
    /** What the owner changes on another server. */
    changeOn: (on: App, kind: string, input: object = {}) =>
      post(operatorPaths.changes, { kind, input, reason: 'a test' }, AS_OWNER, on),
    preview: (kind: string, input: object = {}) =>
      post(operatorPaths.previewChange, { kind, input }),
    undo: (number: number) =>
      post(fillPath(operatorPaths.undoChange, String(number)), { reason: 'a mistake' }),
    statusOf: (id = '') => read(fillPath(apiPaths.status, id)),
    sql: async <Row = Record<string, unknown>>(text: string, values?: unknown[]) =>
      (await app.database.runSql<Row>(text, values)).rows,
    /** The kept mails of a member, or of all, once none waits any more. */
    mailsTo: async (id = '') => {
      await settleMail(app);
      return readKeptMail(app, id);
    },
    /** Joins as ghost0, ghost1 and so on, and returns their ids. */
    joinGhosts: async (count: number) => {
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1)
        ids.push((await app.join(`ghost${index}@example.com`)).id);
      return ids;
    },
    /** Offers masks in Small, and in no other size, to the first in line. */
    offerMasks: async (masks: number, terms: object, frozen = masks) => {
      await setStock({ Small: masks, Medium: 0, Large: 0 });
      await chooseByRank(masks, frozen);
      await change('start-offers', { time_zone: 'UTC', ...terms });
      await run('making offers');
    },
    expectWhole: async () => {
      expect((await verifyLine(app.database)).differences).toEqual([]);
      expect((await verifyAudit(app.database)).difference).toBeNull();
    },
  };
}

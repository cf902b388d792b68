/**
 * The checks of Schemathesis: no internal errors, only described statuses, types and bodies,
 * invalid data refused, undescribed methods answered 405.
 */

import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { Compile } from 'typebox/schema';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ChangeKind } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, IDEMPOTENCY_KEY_HEADER } from '../../contract/paths.ts';
import { AS_OWNER, provideApp } from '../http/provide-app.ts';
import { oneEngine } from '../support/engines.ts';
import { keepFinds } from '../support/keep-finds.ts';
import { isLong } from '../support/test-form.ts';
import { anyText, rightValueOf, type Schema, wrongValueOf } from './api-arbitraries.ts';
import { type Answer, askHostile } from './hostile-ask.ts';
import { signedReport, WEBHOOK_SECRET } from './hostile-places.ts';
import { asHeader, asSegment } from './hostile-strings.ts';

type Body = { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
type Operation = {
  readonly 'x-access'?: string;
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Partial<Body>>>;
};
type Described = { readonly path: string; readonly method: string; readonly operation: Operation };
/** Calls that can be repeated often. Those of operators have tests of their bodies. */
const SITE_CALLS = [
  apiPaths.join,
  apiPaths.status,
  apiPaths.stats,
  apiPaths.faces,
  apiPaths.verifyReferral,
  apiPaths.drop,
  apiPaths.offerOf,
  apiPaths.dropPlace,
  apiPaths.mailEvents,
];
const describedPath = (pattern: string) => pattern.replaceAll(/:(\w+)/g, '{$1}');
const SENT_CALLS = [
  ...SITE_CALLS,
  operatorPaths.waitingMails,
  operatorPaths.failedMails,
  operatorPaths.suppressedAddresses,
  operatorPaths.testMail,
  operatorPaths.counts,
  operatorPaths.findMembers,
  operatorPaths.resumeMail,
  operatorPaths.sizes,
  operatorPaths.drop,
  operatorPaths.memberDrop,
  operatorPaths.verify,
  operatorPaths.previewChange,
  operatorPaths.changes,
  operatorPaths.undoChange,
].map(describedPath);

type Case = {
  readonly path: string;
  readonly method: string;
  readonly request: InjectOptions;
  readonly isWrong: boolean;
};

/** In a path: the newest change that can be undone, so that some are, in every run. */
const NEWEST_CHANGE = 'newest-change';
const REQUESTS = isLong ? 20_000 : 4000;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE', 'QUERY', 'LOCK'];

/** Whether a client asks for another path, since it takes dots for folders. */
function isResolved(url: string): boolean {
  const [path = ''] = url.split(/[?#]/);
  return new URL(path, 'http://site.test').pathname.split('/').length !== path.split('/').length;
}

let described: readonly Described[];
let members: { id: string; referral_code: string }[] = [];
let newestChange = 1;
let openedMs: number;

describe.each(oneEngine)('on %s', (engine) => {
  const app = provideApp(engine, { mailWebhookSecret: WEBHOOK_SECRET });
  beforeAll(async () => {
    openedMs = Date.now();
    const { paths } = (await app.fastify.inject('/api/openapi.json')).json() as {
      paths: Record<string, Record<string, Operation>>;
    };
    described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    );
    members = [];
    for (const name of ['ada', 'grace', 'edith'])
      members.push(await app.join(`${name}@example.com`));
  });

  test('a call of operators names its part of the API, and who may call it', () => {
    const operator = described.filter(({ path }) => path.startsWith('/operator/'));
    for (const { path, method, operation } of operator)
      expect([method, path, operation]).toEqual([
        method,
        path,
        expect.objectContaining({
          tags: [expect.stringMatching(/^[A-Z]/)],
          summary: expect.stringMatching(/^[A-Z].*[^.]$/),
          security:
            operation['x-access'] === 'anyone' ? [] : expect.arrayContaining([{ cookie: [] }]),
          'x-access': expect.stringMatching(/^(anyone|known|self|read|write|export|redeem|owner)$/),
          responses: expect.objectContaining({ 401: expect.anything(), 403: expect.anything() }),
        }),
      ]);
  });

  test('the version that is said of ids is that of the ids that are made', async () => {
    const told: string[] = [];
    for (const url of ['/api/openapi.json', '/api/docs']) {
      const { payload } = await app.fastify.inject(url);
      told.push(...(payload.match(/\bUUID\b\W*\w*/gi) ?? []));
    }
    for (const { id } of members) {
      expect(new Set(told)).toEqual(new Set([`UUID v${id.charAt(14)}`]));
      const madeMs = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
      expect([madeMs >= openedMs, madeMs <= Date.now()]).toEqual([true, true]);
    }
  });

  test('the API matches its description, whatever it is sent', {
    timeout: 600_000,
  }, async () => {
    const answered: Record<string, number> = {};
    const sent = described.filter(({ path }) => SENT_CALLS.includes(path));
    expect(new Set(sent.map(({ path }) => path))).toEqual(new Set(SENT_CALLS));
    const anyCase = fc.oneof(...sent.flatMap(casesOf));
    const property = fc.asyncProperty(anyCase, async ({ path, method, request, isWrong }) => {
      const operation = sent.find((one) => one.path === path && one.method === method)?.operation;
      if (operation === undefined) throw new Error(`${method} ${path} is not sent.`);
      const url = String(request.url).replace(NEWEST_CHANGE, String(newestChange));
      const { answer, faults } = await askHostile(app, { ...request, url });
      const made = path === operatorPaths.changes && answer.statusCode < 300 && answer.json();
      if (made?.undo_until) newestChange = made.change;
      const call = `${method} ${path} ${answer.statusCode}`;
      answered[call] = (answered[call] ?? 0) + 1;
      const departures = isResolved(url) ? [] : departuresOf(answer, operation, isWrong);
      expect([...faults, ...departures]).toEqual([]);
    });
    await fc.assert(property, keepFinds({ numRuns: REQUESTS, endOnFailure: true }));
    if (isLong) console.log(engine, answered);
    // Every call also succeeded, so that not only refusals were checked.
    const neverAnswered = sent
      .map(({ path, method }) => `${method} ${path}`)
      .filter((call) => ![200, 201, 202].some((status) => `${call} ${status}` in answered));
    expect(neverAnswered).toEqual([]);
  });

  test('undescribed methods are answered 405, with the described ones', async () => {
    const methodsOf = Map.groupBy(described, ({ path }) => path);
    for (const [path, operations] of methodsOf) {
      const url = path.replaceAll(/\{\w+\}/g, 'x');
      const methods = operations.map(({ method }) => method);
      for (const other of METHODS.filter((name) => !methods.includes(name))) {
        const { answer, faults } = await askHostile(app, { method: other as 'GET', url });
        expect(faults).toEqual([]);
        expect([other, answer.statusCode]).toEqual([other, 405]);
        expect(String(answer.headers.allow).split(', ')).toEqual(expect.arrayContaining(methods));
      }
    }
  });
});

function departuresOf(answer: Answer, { responses }: Operation, isWrong: boolean): string[] {
  const { statusCode, headers, payload } = answer;
  const response = responses[String(statusCode)];
  if (response === undefined) return [`${statusCode} is not described: ${payload}`];
  const departures: string[] = [];
  if (isWrong && statusCode < 400) departures.push(`wrong data was taken: ${payload}`);
  if (headers['content-type'] !== 'application/json; charset=utf-8')
    departures.push(`answered as ${headers['content-type']}`);
  const schema = response.content?.['application/json'].schema;
  if (schema === undefined) return [...departures, `no body is described for ${statusCode}`];
  const body: unknown = JSON.parse(payload);
  if (!Compile(schema).Check(body)) departures.push(`the body is not as described: ${payload}`);
  const unknown = Object.keys(body as object).filter(
    (name) => schema.properties?.[name] === undefined,
  );
  if (unknown.length > 0) departures.push(`fields that are not described: ${unknown}`);
  return departures;
}

function casesOf(one: Described): fc.Arbitrary<Case>[] {
  const caseOf = (request: fc.Arbitrary<InjectOptions>, isWrong = false) =>
    request.map((made): Case => ({ path: one.path, method: one.method, request: made, isWrong }));
  const method = one.method as 'GET';
  const asked = one.path.startsWith('/operator/') ? AS_OWNER : {};
  const schema = withoutPause(one.operation.requestBody?.content['application/json'].schema);
  if (schema === undefined) {
    const segments = fc.oneof(anyText.map(asSegment), { arbitrary: knownSegment(), weight: 3 });
    return [
      caseOf(
        segments.map((segment) => ({
          method,
          url: one.path.replace(/\{\w+\}/, segment || 'x'),
          headers: asked,
        })),
      ),
    ];
  }
  const send = (payload: string, type = 'application/json', key = ''): InjectOptions => {
    const url = one.path.replace(/\{\w+\}/, NEWEST_CHANGE);
    const keyed = key && { [IDEMPOTENCY_KEY_HEADER]: key };
    const headers = { ...asked, 'content-type': type, ...keyed };
    if (one.path !== apiPaths.mailEvents) return { method, url, payload, headers };
    const report = signedReport(payload);
    return { ...report, headers: { ...report.headers, ...headers } };
  };
  const right = fc.tuple(rightValueOf(schema), anyText.map(asHeader));
  const easy = (schema.oneOf ?? [])
    .filter(({ properties }) => properties?.kind?.enum?.includes(EASY_CHANGE))
    .map((only) => caseOf(rightValueOf(only).map((body) => send(JSON.stringify(body)))));
  return [
    ...[...easy, ...easy, ...easy],
    caseOf(right.map(([body]) => send(JSON.stringify(body)))),
    caseOf(right.map(([body, key]) => send(JSON.stringify(body), 'application/json', key))),
    caseOf(
      wrongValueOf(schema).map((body) => send(JSON.stringify(body))),
      true,
    ),
    caseOf(
      anyText.filter(isNoJson).map((text) => send(text)),
      true,
    ),
    caseOf(
      fc
        .constantFrom('text/plain', 'application/xml', 'image/svg+xml')
        .map((type) => send('{}', type)),
      true,
    ),
    caseOf(
      right.map(([body]) => ({
        method,
        url: one.path.replace(/\{\w+\}/, '1'),
        payload: body as object,
        headers: { 'webhook-id': 'x' },
      })),
    ),
    caseOf(
      fc.integer({ min: 16_000, max: 40_000 }).map((size) => send(`"${'a'.repeat(size)}"`)),
      true,
    ),
  ];
}

/** While joining is paused no join succeeds; pause.test.ts and drop.test.ts have that. */
function withoutPause(schema: Schema | undefined): Schema | undefined {
  const kinds = schema?.oneOf?.filter(
    ({ properties }) => !PAUSES.some((kind) => properties?.kind?.enum?.includes(kind)),
  );
  return kinds === undefined ? schema : { ...schema, oneOf: kinds };
}

/** One of the few that need nothing to be there before: without it hardly any would succeed. */
const EASY_CHANGE: ChangeKind = 'set-stock';
const PAUSES: readonly ChangeKind[] = ['pause-joining', 'freeze-drop'];

/** Paths with the id or code of a member. */
function knownSegment(): fc.Arbitrary<string> {
  return fc.tuple(fc.nat(), fc.boolean()).map(([index, isCode]) => {
    const member = members[index % members.length];
    return (isCode ? member?.referral_code : member?.id) ?? '';
  });
}

function isNoJson(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

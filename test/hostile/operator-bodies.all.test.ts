/**
 * Operator bodies with one fault are refused and change nothing; valid ones with odd text succeed.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChangeRequest, UndoRequest } from '../../contract/operator/changes.ts';
import { FindMembersRequest } from '../../contract/operator/members.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { dumpLine } from '../http/mail-links.ts';
import { openTestApp, type TestApp } from '../http/test-app.ts';
import { oneEngine } from '../support/engines.ts';
import { isLong } from '../support/test-form.ts';
import { rightValueOf, type Schema, wrongValueOf } from './api-arbitraries.ts';
import { askHostile } from './hostile-ask.ts';
import { asOperator } from './hostile-places.ts';

const REQUESTS = isLong ? 2000 : 60;

const CALLS: readonly [method: 'POST', url: string, schema: unknown][] = [
  ['POST', operatorPaths.findMembers, FindMembersRequest],
  ['POST', operatorPaths.changes, ChangeRequest],
  ['POST', fillPath(operatorPaths.undoChange, '1'), UndoRequest],
];

describe.each(oneEngine)('on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine);
  });
  afterAll(() => app.remove());

  describe.each(CALLS)('%s %s', (method, url, schema) => {
    const ask = (body: unknown) => {
      const headers = { ...asOperator, 'content-type': 'application/json' };
      return askHostile(app, { method, url, payload: JSON.stringify(body), headers });
    };

    test('refuses invalid bodies', { timeout: 600_000 }, async () => {
      const before = await dumpLine(app);
      const property = fc.asyncProperty(wrongValueOf(schema as Schema), async (body) => {
        const { answer, faults } = await ask(body);
        expect([answer.statusCode, faults]).toEqual([422, []]);
      });
      await fc.assert(property, { numRuns: REQUESTS, endOnFailure: true });
      expect(await dumpLine(app)).toBe(before);
    });

    test('answers valid bodies', { timeout: 600_000 }, async () => {
      const property = fc.asyncProperty(rightValueOf(schema as Schema), async (body) => {
        const { answer, faults } = await ask(body);
        expect(faults).toEqual([]);
        expect([200, 201, 404, 409, 422]).toContain(answer.statusCode);
      });
      await fc.assert(property, { numRuns: REQUESTS, endOnFailure: true });
    });
  });
});

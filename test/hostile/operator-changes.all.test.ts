/** Odd text and numbers in every field of every change, before a drop and within one. */
import { beforeAll, describe, expect, test } from 'vitest';
import { changeInputs } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { AS_OWNER, provideApp } from '../http/provide-app.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { oneEngine } from '../support/engines.ts';
import type { Schema } from './api-arbitraries.ts';
import { askHostile } from './hostile-ask.ts';

const TEXTS = [
  'nope',
  '0000-01-01',
  '9999-12-31T23:59-14:00',
  '7'.repeat(2_000),
  '019a0000-0000-7000-8000-00000000000',
  '019A0000-0000-7000-8000-000000000000',
];

const ONE = { masks: [{ size: 'Small', masks: 1 }] };

/** The first value that the schema allows, with this text, and its least or most number. */
function oddValueOf(schema: Schema, text: string, isMost: boolean): unknown {
  const { type, enum: choices, minimum = 0, maximum = 0, maxLength = 100 } = schema;
  if (schema.const !== undefined) return schema.const;
  if (choices) return choices[0];
  if (type === 'string') return text.slice(0, maxLength);
  if (type === 'integer') return isMost ? maximum : minimum;
  if (type === 'boolean' || type === undefined) return true;
  if (schema.items) return [oddValueOf(schema.items, text, isMost)];
  const fields = Object.entries(schema.properties ?? {});
  return Object.fromEntries(fields.map(([name, field]) => [name, oddValueOf(field, text, isMost)]));
}

describe.each(oneEngine)('on %s', (engine) => {
  const app = provideApp(engine);
  beforeAll(async () => {
    await app.join('ada@example.com');
    await confirmEverybody(app.database);
  });

  const post = (url: string, payload: object) =>
    askHostile(app, { method: 'POST', url, payload, headers: AS_OWNER });

  async function previewAll(): Promise<void> {
    for (const [kind, schema] of Object.entries(changeInputs)) {
      const { required = [] } = schema as Schema;
      for (const text of TEXTS)
        for (const isMost of [false, true]) {
          const whole = oddValueOf(schema as Schema, text, isMost) as Record<string, unknown>;
          // Each optional field by itself, too: together, some are refused before they are read.
          const alone = Object.keys(whole).map((name) =>
            Object.fromEntries([...required, name].map((field) => [field, whole[field]])),
          );
          for (const input of [whole, ...alone]) {
            const { faults } = await post(operatorPaths.previewChange, { kind, input });
            expect([kind, input, faults]).toEqual([kind, input, []]);
          }
        }
    }
  }

  test('no change fails at text or a number that it does not expect', async () => {
    await previewAll();
    for (const [kind, input] of [
      ['set-stock', { size: 'Small', stock: 1 }],
      ['freeze-drop', { first: 1 }],
      ['announce-draw', { ...ONE, by_rank: 1, drawn_among: 0, source: 'none' }],
      ['select-entrants', {}],
      ['start-offers', { minutes: 720, time_zone: 'UTC' }],
    ] as const) {
      const { answer } = await post(operatorPaths.changes, { kind, input, reason: 'a test' });
      expect([kind, answer.statusCode]).toEqual([kind, 201]);
    }
    await previewAll();
  });
});

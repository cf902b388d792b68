/** A change in parts is made once, however many servers make its parts. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { oneEngine } from '../../test/support/engines.ts';
import { moveClock } from '../../test/support/moved-clock.ts';
import { provideLine } from '../../test/support/provide-line.ts';
import { readConfig } from '../config.ts';
import { goOnWithChanges } from './long-changes.ts';
import { applyOperation, undoChange } from './make-changes.ts';
import type { Operation, Operations } from './operation.ts';

const ITEMS = ['a', 'b', 'c', 'd'];
const ACTOR = { kind: 'system', id: null, name: 'test' } as const;

describe.each(oneEngine)('a long change on the %s engine', (engine) => {
  const place = provideLine(engine, {}, 'all');
  let made: string[];
  const operation: Operation = {
    lock: 'line',
    apply: async () => ({ summary: 'It began.', subject: null, undo: { items: ITEMS } }),
    undo: async () => ({ summary: 'The undo began.' }),
    long: {
      isLong: () => true,
      open: ({ items }: { items: readonly string[] }, isUndo) => ({
        partAfter(last) {
          const item = items.find((one) => last === null || one > last);
          if (item === undefined) return null;
          return {
            last: item,
            async make() {
              made.push(isUndo ? `not ${item}` : item);
              return 1;
            },
          };
        },
        summarize: (done) => `${done} items are done.`,
      }),
    },
  };
  const operations = { 'decide-credits': operation } as unknown as Operations;

  beforeEach(() => {
    made = [];
  });
  afterEach(() => moveClock(0));

  const runSql = (statement: string) => place.database.runSql(statement);
  const otherServer = () => goOnWithChanges({ database: place.database, operations });

  function apply(isStopping: () => boolean) {
    const wanted = { kind: 'decide-credits', input: { state: 'held' }, operation } as const;
    const by = { actor: ACTOR, reason: 'a test' };
    return applyOperation({ database: place.database, isStopping }, wanted, by);
  }

  test('another server that takes it for abandoned repeats no part', async () => {
    const others: Promise<void>[] = [];
    await apply(() => {
      moveClock(60_000);
      if (made.length > 0) others.push(otherServer());
      return false;
    });
    await Promise.all(others);
    expect(made).toEqual(ITEMS);
  });

  test('it is abandoned after its last part, and goes on behind that', async () => {
    const { change, summary } = await apply(() => made.length === 2);
    expect(summary).toBe('It began. It is not done yet, and goes on by itself.');
    const { rows } = await runSql(`
      select beat_at > at as is_later from undo_record join audit_entry on sequence = audit_sequence
      where sequence = ${change}`);
    expect(rows).toEqual([{ is_later: true }]);
    await runSql(`update undo_record set beat_at = now() + interval '50 seconds'`);
    moveClock(60_000);
    await otherServer();
    expect(made).toEqual(ITEMS.slice(0, 2));
    await runSql(`update undo_record set beat_at = now() - interval '20 seconds'`);
    await otherServer();
    expect(made).toEqual(ITEMS);
    moveClock(0);

    const options = { database: place.database, config: readConfig({}), operations };
    const undone = await undoChange(options, change, {
      actor: ACTOR,
      may: new Set(),
      reason: 'a mistake',
    });
    expect(undone.summary).toBe('4 items are done.');
    expect(made.slice(ITEMS.length)).toEqual(ITEMS.map((item) => `not ${item}`));
  });
});

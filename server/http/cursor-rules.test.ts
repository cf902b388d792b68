import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEndedKey, readWaitingKey, writeEndedKey, writeWaitingKey } from './cursor-rules.ts';

const us = fc.integer({ min: 0, max: 4_000_000_000_000_000 });

test('a key is read as it was written', () => {
  fc.assert(
    fc.property(us, fc.uuid(), fc.nat(), fc.nat(), (at, id, sequence, ordinal) => {
      for (const key of [
        { source: 'queue', us: at, id } as const,
        { source: 'outbox', sequence, ordinal } as const,
      ])
        expect(readWaitingKey(writeWaitingKey(key))).toEqual(key);
      const hash = 'h_-'.padEnd(43, 'x');
      for (const [list, key] of [
        ['failed', { us: at, id }],
        ['suppressed', { us: at, id: hash }],
      ] as const) {
        expect(readEndedKey(writeEndedKey(key), list)).toEqual(key);
        const other = list === 'failed' ? 'suppressed' : 'failed';
        expect(() => readEndedKey(writeEndedKey(key), other)).toThrow('"next"');
      }
    }),
  );
});

test.each(['', 'queue', 'queue.1.x', 'outbox.1', `outbox.${'9'.repeat(16)}.1`, '1.x', 'ada@x.org'])(
  '%j is refused',
  (text) => {
    expect(() => readWaitingKey(text)).toThrow('"next"');
    expect(() => readEndedKey(text, 'failed')).toThrow('"next"');
    expect(() => readEndedKey(text, 'suppressed')).toThrow('"next"');
  },
);

import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { openAssessor } from './assessor.ts';
import { openJoinMemory } from './join-memory.ts';

test.each([
  [60, { rules: ['random-address'], score: 60 }],
  [61, null],
])('a score of 60 that is recorded from %i on is %j', (noteAt, signals) => {
  const assessor = openAssessor(openJoinMemory(64), { ...brand.fairness, noteAt });
  const join = assessor.remember({
    mailbox: 'xkqzvbtw@example.com',
    code: 'ACODE',
    narrow: 0,
    wide: 0,
    hints: 0,
    flags: 0,
  });
  expect(assessor.assess(join)).toEqual(signals);
});

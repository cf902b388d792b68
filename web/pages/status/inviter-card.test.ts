import { expect, test } from 'vitest';
import { newMemberId } from '../../../server/line/member-id-rules.ts';
import { isNewMember } from './inviter-card.tsx';

test('a member is new for two days, whatever the clock of the device says', () => {
  const joinedMs = Date.UTC(2026, 10, 23);
  const id = newMemberId(joinedMs, new Uint8Array(10));
  const hour = 3_600_000;
  for (const hours of [-47, 0, 24, 47]) expect(isNewMember(id, joinedMs + hours * hour)).toBe(true);
  for (const hours of [-49, 49, 9_999])
    expect(isNewMember(id, joinedMs + hours * hour)).toBe(false);
  expect(isNewMember('nobody', joinedMs)).toBe(false);
});

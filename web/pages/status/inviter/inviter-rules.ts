/** Clocks of devices are wrong, and the server knows: two days, of which one is asked about. */
const NEW_MS = 2 * 86_400_000;

/** Whether the member joined lately, by the time that their id begins with (RFC 9562). */
export function isNewMember(memberId: string, nowMs: number): boolean {
  const joinedMs = Number.parseInt(memberId.slice(0, 8) + memberId.slice(9, 13), 16);
  return Math.abs(nowMs - joinedMs) < NEW_MS;
}

export const DAY_MS = 24 * 3_600_000;

/** Whether who was told at `toldAt`, if ever, may be told again. */
export function isDayOver(toldAt: Date | null, now: Date): boolean {
  return toldAt === null || now.getTime() - toldAt.getTime() >= DAY_MS;
}

/** What the clock of an offer shows and says. */

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** "11:42:07"; the second that runs counts. */
export function writeClock(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** What a screen reader is told: it changes each hour, then at 30, 10, 5 and 1 minutes. */
export function describeLeft(leftMs: number): string {
  if (leftMs <= 0) return 'This offer has ended.';
  if (leftMs >= HOUR_MS) {
    const hours = Math.floor(leftMs / HOUR_MS);
    return `More than ${hours === 1 ? 'an hour' : `${hours} hours`} left.`;
  }
  const limit = [1, 5, 10, 30, 60].find((minutes) => leftMs <= minutes * MINUTE_MS) ?? 60;
  return `Less than ${limit === 1 ? 'a minute' : `${limit} minutes`} left.`;
}

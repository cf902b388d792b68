const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** "11:42:07", with the second that runs. Hours may exceed 24. */
export function writeClock(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** "2 d 03:04:05"; without seconds, "2 d 03:04" rounded up, for people who want no motion. */
export function writeLeft(leftMs: number, hasSeconds: boolean): string {
  const unit = hasSeconds ? SECOND_MS : MINUTE_MS;
  const left = Math.max(0, Math.ceil(leftMs / unit) * unit);
  const days = Math.floor(left / DAY_MS);
  const clock = writeClock(left % DAY_MS).slice(0, hasSeconds ? 8 : 5);
  return days > 0 ? `${days} d ${clock}` : clock;
}

/** For screen readers: changes a day, an hour, ten minutes and a minute before, and at the end. */
export function sayLeft(leftMs: number): string {
  if (leftMs <= 0) return 'any moment now';
  if (leftMs <= MINUTE_MS) return 'within a minute';
  if (leftMs <= 10 * MINUTE_MS) return 'within ten minutes';
  if (leftMs <= HOUR_MS) return 'within an hour';
  if (leftMs <= DAY_MS) return 'within a day';
  return `in ${Math.ceil(leftMs / DAY_MS)} days`;
}

/** For screen readers, about an offer: changes each hour, then at 30, 10, 5 and 1 minutes. */
export function describeLeft(leftMs: number): string {
  if (leftMs <= 0) return 'This offer has ended.';
  if (leftMs >= HOUR_MS) {
    const hours = Math.floor(leftMs / HOUR_MS);
    return `More than ${hours === 1 ? 'an hour' : `${hours} hours`} left.`;
  }
  const limit = [1, 5, 10, 30, 60].find((minutes) => leftMs <= minutes * MINUTE_MS) ?? 60;
  return `Less than ${limit === 1 ? 'a minute' : `${limit} minutes`} left.`;
}

/** What a countdown shows and says. */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** "2 d 03:04:05"; without seconds, "2 d 03:04" rounded up, for people who want no motion. */
export function writeLeft(leftMs: number, hasSeconds: boolean): string {
  const unit = hasSeconds ? SECOND_MS : MINUTE_MS;
  const left = Math.max(0, Math.ceil(leftMs / unit) * unit);
  const days = Math.floor(left / DAY_MS);
  const parts = [
    Math.floor((left % DAY_MS) / HOUR_MS),
    Math.floor((left % HOUR_MS) / MINUTE_MS),
    ...(hasSeconds ? [Math.floor((left % MINUTE_MS) / SECOND_MS)] : []),
  ];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
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

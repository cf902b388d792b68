/** Times as the console writes them, in the time zone of the browser. */
const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
/** Beyond this distance the date says more. */
const MAX_RELATIVE_S = 7 * DAY_S;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const minute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const moment = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** "3 minutes ago", "in 2 hours", or the day when that is more than a week away. */
export function formatRelative(iso: string, now: number): string {
  const time = Date.parse(iso);
  const seconds = Math.round((time - now) / 1000);
  const distance = Math.abs(seconds);
  if (distance < MINUTE_S / 2) return 'just now';
  if (distance < HOUR_S - MINUTE_S / 2)
    return relative.format(Math.round(seconds / MINUTE_S), 'minute');
  if (distance < DAY_S - HOUR_S / 2) return relative.format(Math.round(seconds / HOUR_S), 'hour');
  if (distance < MAX_RELATIVE_S) return relative.format(Math.round(seconds / DAY_S), 'day');
  return day.format(time);
}

export function formatMinute(iso: string): string {
  return minute.format(Date.parse(iso));
}

/** "Sun, 22 Nov 2026, 11:03:48 UTC". */
export function formatMoment(iso: string): string {
  return moment.format(Date.parse(iso));
}

export function formatDay(iso: string): string {
  return day.format(Date.parse(iso));
}

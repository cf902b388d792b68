const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const share = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });
const STEP = 1000;
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export function formatCount(count: number): string {
  return whole.format(count);
}

export function formatShare(part: number): string {
  return share.format(part);
}

export function formatAmount(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3);
  const unit = Math.min(step, UNITS.length - 1);
  const value = bytes / STEP ** unit;
  return `${unit === 0 ? whole.format(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
const MAX_RELATIVE_S = 7 * DAY_S;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const day = new Intl.DateTimeFormat('en-GB', DATE);
const minute = new Intl.DateTimeFormat('en-GB', { ...DATE, ...TIME });
const moment = new Intl.DateTimeFormat('en-GB', {
  ...DATE,
  ...TIME,
  weekday: 'short',
  second: '2-digit',
  timeZoneName: 'short',
});

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

export function formatMoment(iso: string): string {
  return moment.format(Date.parse(iso));
}

export function formatDay(iso: string): string {
  return day.format(Date.parse(iso));
}

/** Reads "1,583", "12.50" and "12,50"; NaN when it is no such number. */
export function readNumber(text: string, isDecimal: boolean): number {
  const plain = text
    .trim()
    .replaceAll(/,(?=\d{3}(?!\d))/g, '')
    .replace(',', '.');
  return (isDecimal ? /^\d{1,7}(\.\d{1,2})?$/ : /^\d{1,7}$/).test(plain)
    ? Number(plain)
    : Number.NaN;
}

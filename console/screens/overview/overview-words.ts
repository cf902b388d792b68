import type { Overview } from '../../../contract/operator/overview.ts';
import { OTHER_SOURCES, SOURCE_FIELDS, type SourceField } from '../../../contract/sources.ts';
import { formatAmount } from '../../ui/formats.ts';

const HOUR_MIN = 60;
const DAY_MIN = 24 * HOUR_MIN;

type Source = Pick<Overview['sources'][number], SourceField>;

export function formatWait(minutes: number): string {
  if (minutes === 0) return 'a minute';
  if (minutes < 2 * HOUR_MIN) return formatAmount(minutes, 'minute');
  if (minutes < 2 * DAY_MIN) return formatAmount(Math.round(minutes / HOUR_MIN), 'hour');
  return formatAmount(Math.round(minutes / DAY_MIN), 'day');
}

export function formatWaits(from: number, to: number | null): string {
  if (to === null) return `${formatWait(from)} or more`;
  if (from === 0) return `Less than ${formatWait(to)}`;
  return `${formatWait(from)} to ${formatWait(to)}`;
}

export function nameSource(source: Source): string {
  const fields = SOURCE_FIELDS.filter((field) => source[field] !== '');
  const parts = fields.map((field) => (field === 'via' ? `via ${source.via}` : source[field]));
  return parts.join(' · ') || 'Direct or unknown';
}

export function writeSource(source: Source): string | null {
  if (source.utm_source === OTHER_SOURCES) return null;
  const fields = SOURCE_FIELDS.filter((field) => source[field] !== '');
  const parameters = new URLSearchParams(fields.map((field) => [field, source[field]]));
  return parameters.size === 0 ? null : parameters.toString();
}

const hour = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});
const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

export function nameBucket(startsAt: string, bucket: 'hour' | 'day'): string {
  return (bucket === 'hour' ? hour : day).format(Date.parse(startsAt));
}

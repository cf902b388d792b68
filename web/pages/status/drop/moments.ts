import { brand } from '../../../../brand/brand.ts';

/** "Thu 22 Nov, 23:15 GMT+1", in the visitor's time zone. */
export function writeMoment(iso: string): string {
  const format = new Intl.DateTimeFormat(brand.language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return format.format(new Date(iso));
}

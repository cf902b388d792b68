import { expect, test } from 'vitest';
import { writeCalendar } from './calendar-rules.ts';

const event = {
  uid: 'drop-1-start-offers@line.example.com',
  sequence: 2,
  changedAt: new Date('2026-11-22T21:04:05.678Z'),
  at: new Date('2026-12-05T17:00:00Z'),
  summary: 'Masks are offered',
  url: 'https://line.example.com/',
};

test('an event is written as RFC 5545 says', () => {
  expect(writeCalendar([event], 'A brand')).toBe(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//A brand//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      'BEGIN:VEVENT',
      'UID:drop-1-start-offers@line.example.com',
      'SEQUENCE:2',
      'DTSTAMP:20261122T210405Z',
      'LAST-MODIFIED:20261122T210405Z',
      'DTSTART:20261205T170000Z',
      'SUMMARY:Masks are offered',
      'URL:https://line.example.com/',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  );
});

test('texts are escaped, and lines of more than 75 octets go on behind a space', () => {
  const summary = `a\\b;c,d\ne\u0007f ${'👻é'.repeat(60)}`;
  const calendar = writeCalendar([{ ...event, summary }], 'x');
  const lines = calendar.split('\r\n');
  expect(calendar.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  // No character is broken, and unfolding gives the text back.
  const unfolded = calendar.replaceAll('\r\n ', '');
  expect(unfolded).toContain(`SUMMARY:a\\\\b\\;c\\,d\\ne f ${'👻é'.repeat(60)}\r\n`);
  expect(lines.some((line) => Buffer.byteLength(line) > 70)).toBe(true);
});

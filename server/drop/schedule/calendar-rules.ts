/** A calendar as RFC 5545 writes it; texts have no control characters (section 3.3.11). */

export type CalendarEvent = {
  readonly uid: string;
  readonly sequence: number;
  readonly changedAt: Date;
  readonly at: Date;
  readonly summary: string;
  readonly url: string;
};

/** Octets of a line without its line break (section 3.1). */
const MAX_LINE = 75;
const LINE_BREAK = '\r\n';

export function writeCalendar(events: readonly CalendarEvent[], product: string): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(product)}//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...events.flatMap(writeEvent),
    'END:VCALENDAR',
  ];
  return lines.map((line) => fold(line) + LINE_BREAK).join('');
}

function writeEvent({ uid, sequence, changedAt, at, summary, url }: CalendarEvent): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(uid)}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${writeTime(changedAt)}`,
    `LAST-MODIFIED:${writeTime(changedAt)}`,
    `DTSTART:${writeTime(at)}`,
    `SUMMARY:${escapeText(summary)}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

function writeTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

function escapeText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ');
}

function fold(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
    if (octets + size > MAX_LINE) {
      folded += `${LINE_BREAK} `;
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}

/** A calendar as RFC 5545 writes it. */

export type CalendarEvent = {
  /** Stays the same when the event changes. */
  readonly uid: string;
  /** Rises with every change. */
  readonly sequence: number;
  readonly changedAt: Date;
  readonly at: Date;
  readonly summary: string;
  readonly url: string;
};

/** In octets, without the line break (section 3.1). */
const MAX_LINE = 75;
const LINE_BREAK = '\r\n';

/** `product` names the program that wrote it. */
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

/** In UTC, which every calendar shows in its own time zone. */
function writeTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Section 3.3.11. Control characters have no place in a text. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ');
}

/** Continues on lines that begin with a space, and never breaks a character. */
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

import { table, whole } from '../../bench/report/markdown.ts';
import type { MaskSize } from '../../contract/operator/masks.ts';
import type { Timeline } from '../../contract/operator/timeline.ts';
import { DAY_MS, HOUR_MS } from '../../server/durations.ts';
import type { Check } from './checks.ts';
import type { Played } from './play-drops.ts';
import type { MailRow, OfferRow } from './rehearsal-store.ts';

export type Report = {
  readonly at: Date;
  readonly seconds: number;
  readonly members: number;
  readonly seed: string;
  readonly played: Played;
  readonly checks: readonly Check[];
  readonly offers: readonly OfferRow[];
  readonly mails: readonly MailRow[];
  readonly sizes: readonly MaskSize[];
};

const ENDS = ['paid', 'handed_over', 'accepted', 'declined', 'expired', 'cancelled'] as const;

export function reportOf(report: Report): string {
  const { at, seconds, members, seed, played, checks, offers } = report;
  const { doors, outage, sold, drops, mornings, timeline } = played;
  const failed = checks.filter(({ problems }) => problems.length > 0).length;
  const returned = sold.taken.filter(({ isRefunded }) => isRefunded).length;
  const paid = sold.taken.length - returned - sold.byHand.length;
  const unread = offers.filter((one) => one.state === 'expired' && one.mailed_at === null).length;
  const through = (name: string) => doors.arrivals.filter(({ door }) => door === name).length;
  return `# A rehearsed drop

**${failed === 0 ? 'Everything adds up.' : `${failed} checks failed.`}**
${whole(members)} made-up members, two drops, ${at.toISOString().slice(0, 10)}.

${masksTable(report)}

${offersTable(report)}

- **Till.** ${whole(paid)} payments paid ${whole(paid)} passes. Given back:
  ${whole(returned)}, for a pass that was cancelled while it was paid. Sales by hand, which it does
  not read: ${whole(sold.byHand.length)}. Calls that failed on the way: ${whole(sold.faults)}.
- **Mail.** From ${timeOf(outage.from)} to ${timeOf(outage.until)} the mail server was away. Offers
  that waited for their mail: ${whole(outage.unread)}. Masks that waited for it to be offered:
  ${whole(outage.waiting)}. Offers that ended unread: ${whole(unread)}.
- **Nights.** Offers made at 08:00, as the quiet hours ended, morning by morning:
  ${mornings.map(({ made }) => whole(made)).join(', ')}.
- **Doors.** Members who came in: ${whole(doors.arrivals.length)}, of whom ${whole(through('Vera'))}
  past Vera and ${whole(through('Jo'))} past Jo. Scans turned away, since the pass was used, undone
  or of another drop: ${whole(doors.turnedAway)}.

## The day, as the console draws it before the start

Each wave with its masks, if half of it accept, and the nights. A new day begins at each line.

\`\`\`text
${drawTimeline(drops[0]?.preview.timeline)}
\`\`\`

## Who came in

${doors.arrivals.map(({ position, size }) => `#${position} (${size})`).join(', ')}

## What was checked

${checks.map(describeCheck).join('\n')}

## What was not played

- Real money. The far side of the till is a fake, written from Stripe's public API description.
- Real mailboxes, and the camera of a door: it sent the codes of passes as the scanner does.
- Addresses, the packing list and parcels.
- Several servers, restarts, and a crowd within a second: \`npm run faults\`, and
  \`npm run bench -- --only drop\`.

## Mails

${mailsTable(report)}

They are in [mails/](mails). Those that are no longer true when their turn comes are not sent.

## Hour by hour

Times are in UTC. Seed \`${seed}\`, ${whole(seconds)} s, ${whole(played.answers)} answers compared.

${table(
  ['time', 'what happens'],
  timeline.map((moment) => [moment.at.toISOString().slice(0, 16).replace('T', ' '), moment.what]),
)}
`;
}

const timeOf = (at: Date) => at.toISOString().slice(11, 16);

function masksTable({ sizes, offers }: Report): string {
  const rows = sizes.map(({ name, stock, available }) => {
    const count = (state: string) =>
      offers.filter((one) => one.size === name && one.state === state).length;
    return [stock, count('paid'), count('handed_over'), count('accepted'), available];
  });
  const sums = rows.reduce((sum, row) => sum.map((value, index) => value + (row[index] ?? 0)));
  return table(
    ['masks', 'stock', 'paid, to be sent', 'handed over at a door', 'pass not used', 'left'],
    [
      ...rows.map((row, index) => [sizes[index]?.name ?? '', ...row.map(whole)]),
      ['**all**', ...sums.map((sum) => `**${whole(sum)}**`)],
    ],
  );
}

function offersTable({ played: { drops }, offers }: Report): string {
  const rows = drops.map(({ number }) => {
    const own = offers.filter(({ drop_number: drop }) => drop === number);
    const ends = ENDS.map((end) => own.filter(({ state }) => state === end).length);
    return [`drop ${number}`, ...[own.length, ...ends].map(whole)];
  });
  const head = ['offers', 'made', 'paid', 'handed over', 'pass not used', 'declined', 'time over'];
  return table([...head, 'pass ended'], rows);
}

function mailsTable({ mails }: Report): string {
  const kinds = [...new Set(mails.map(({ kind }) => kind))].sort();
  const rows = kinds.map((kind) => {
    const own = mails.filter((mail) => mail.kind === kind);
    const sent = own.filter(({ outcome }) => outcome === 'sent').length;
    return [kind, whole(own.length), whole(sent)];
  });
  return table(['mail', 'queued', 'sent'], rows);
}

const COLUMNS = 72;
const LABELS = 21;

function drawTimeline(timeline: Timeline | undefined): string {
  if (timeline === undefined) return '';
  const [begin, end] = [Date.parse(timeline.from), Date.parse(timeline.until)];
  const columnMs = Math.ceil((end - begin) / HOUR_MS / COLUMNS) * HOUR_MS;
  const columnOf = (at: number) => Math.round((at - begin) / columnMs);
  const draw = (label: string, marks: readonly (readonly [number, string])[]) => {
    const cells = Array.from({ length: columnOf(end) }, () => ' ');
    for (const [at, text] of marks) cells.splice(columnOf(at), text.length, ...text);
    return `${label.padEnd(LABELS)}${cells.join('').trimEnd()}`;
  };
  const days: [number, string][] = [];
  for (let at = new Date(begin).setUTCHours(24, 0, 0, 0); at < end; at += DAY_MS)
    days.push([at, `|${new Date(at).toUTCString().slice(0, 7).replace(',', '')}`]);
  const rows = timeline.rows.map(({ label, is_night: isNight, spans }) =>
    draw(
      label,
      spans.map((span) => {
        const [from, until] = [Date.parse(span.from), Date.parse(span.until)];
        const width = Math.max(1, columnOf(until) - columnOf(from));
        return [from, span.text.padEnd(width, isNight ? '░' : '█')] as const;
      }),
    ),
  );
  return [draw('', days), ...rows].join('\n');
}

const SHOWN = 5;

function describeCheck({ what, problems }: Check): string {
  if (problems.length === 0) return `- ${what}: yes.`;
  return `- ${what}: **no**. ${problems.slice(0, SHOWN).join(' ')}`;
}

/** Profiles, as text. Pure. */
import type { ProfileFigures } from '../parts/profile.ts';
import { percent, table, whole } from './markdown.ts';

/** Of a statement. */
const SHOWN_CHARACTERS = 100;

export function profileSection({ engine, members, profiles }: ProfileFigures): string {
  const each = profiles.map(
    ({ kind, hottest, statements, answers }) => `**${kind}, the server**: [flame graph](plots/flame-${kind}.svg)

${table(
  ['function', 'of the server’s time'],
  hottest.map(({ name, share }) => [`\`${name}\``, percent(share)]),
)}

**${kind}, the database**

${table(
  ['statement', 'runs an answer', 'µs an answer'],
  statements.map(({ text, calls, ms }) => [
    `\`${text.slice(0, SHOWN_CHARACTERS).replaceAll('|', '\\|')}\``,
    (calls / answers).toFixed(3),
    ((ms * 1000) / answers).toFixed(1),
  ]),
)}`,
  );
  return `## Where the time goes

${engine}, ${whole(members)} members, 64 in flight. Of the server, its own thread without the time in which it waits, by the time spent in a function itself. Of the database, in a run of its own, the statements that take longest, as
\`pg_stat_statements\` counts them, those inside of functions and triggers too: the time of a statement holds that of all it sets going, its waiting for the line's row and for the disk included, and counting adds to all of it.

${each.join('\n\n')}`;
}

/** Profiles, as text. Pure. */
import type { ProfileFigures } from '../parts/profile.ts';
import { percent, table, whole } from './markdown.ts';

export function profileSection({ engine, members, profiles }: ProfileFigures): string {
  const each = profiles.map(
    ({ kind, hottest }) => `**${kind}**: [flame graph](plots/flame-${kind}.svg)

${table(
  ['function', 'of the server’s time'],
  hottest.map(({ name, share }) => [`\`${name}\``, percent(share)]),
)}`,
  );
  return `## Where the server's time goes

${engine}, ${whole(members)} members, 64 in flight: the server's own thread, without the time in which it waits; by the time spent in a function itself.

${each.join('\n\n')}`;
}

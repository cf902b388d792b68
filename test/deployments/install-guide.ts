/** Reads docs/install.md: its commands, and the files that they write. */
import { readFileSync } from 'node:fs';

/** Commands of one block, typed by root or, after `su`, by the user of the service. */
export type Block = { readonly user: 'root' | 'waitlist'; readonly commands: string };

const GUIDE = readFileSync('docs/install.md', 'utf8');

/** All blocks in their order; each begins with a comment that names the user. */
export function readBlocks(): Block[] {
  return [...GUIDE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => {
    const user = /^# as (root|waitlist)\b/.exec(commands)?.[1];
    if (user === undefined) throw new Error(`Nobody is named to type:\n${commands}`);
    return { user: user as Block['user'], commands };
  });
}

/** What the guide writes to `path` with a here-document. */
export function readFileOfGuide(path: string): string {
  const start = GUIDE.indexOf(`cat > ${path} <<'END'\n`);
  if (start < 0) throw new Error(`docs/install.md does not write ${path}.`);
  const [, ...lines] = GUIDE.slice(start).split('\n');
  return `${lines.slice(0, lines.indexOf('END')).join('\n')}\n`;
}

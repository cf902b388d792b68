import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const QUIET_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** What a pattern finds in the mails to these members, as they are stored; ends after a silence. */
export async function* readMailed(
  dataDir: string,
  members: Iterable<string>,
  pattern: RegExp,
): AsyncGenerator<readonly [id: string, found: string]> {
  const waiting = new Set(members);
  const folder = join(dataDir, 'mail');
  for (let quiet = 0; quiet < QUIET_MS && waiting.size > 0; quiet += LOOK_EVERY_MS) {
    const names = existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
      : [];
    for (const name of names) {
      const id = dirname(name);
      if (!waiting.has(id) || !name.endsWith('.eml')) continue;
      const mail = readFileSync(join(folder, name), 'utf8').replaceAll(/=\r?\n/g, '');
      const found = pattern.exec(mail)?.[1];
      if (found === undefined) continue;
      waiting.delete(id);
      quiet = 0;
      yield [id, found];
    }
    await pause(LOOK_EVERY_MS);
  }
}

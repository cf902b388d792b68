import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { nearestName } from './nearest-name.ts';
import { codeOf, reasonOf, StartupError } from './startup-error.ts';

/** Names for other readers of the file: Node, PostgreSQL, Docker Compose and the tests. */
const FOREIGN = [
  /^(?:NODE_|PG|COMPOSE_|TEST_)/,
  /^(?:SITE|POSTGRES_PASSWORD|TZ|CHROMIUM_PATH|SITE_DIR)$/,
];

export function readEnvFile(path: string): Readonly<Record<string, string>> {
  const bytes = readIfThere(path);
  if (bytes === null) return {};
  if (isUtf16(bytes)) throw new StartupError(`${path} is in UTF-16: save it as UTF-8.`);
  // Some editors on Windows begin the file with a byte order mark.
  return parseEnv(bytes.toString('utf8').replace(/^\uFEFF/, '')) as Record<string, string>;
}

export function unknownNames(
  names: readonly string[],
  settings: readonly string[],
): readonly string[] {
  return names
    .filter((name) => !settings.includes(name) && !FOREIGN.some((some) => some.test(name)))
    .map((name) => {
      const nearest = nearestName(name, settings);
      const advice = nearest === null ? 'remove it.' : `did you mean ${nearest}?`;
      return `.env sets ${name}, which is not a setting: ${advice}`;
    });
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new StartupError(`${path} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}

function isUtf16([first, second]: Buffer): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

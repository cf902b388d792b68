/** The file `.env`: it is read here, and its names are compared with those of the settings. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { nearestName } from './nearest-name.ts';
import { codeOf, reasonOf, StartupError } from './startup-error.ts';

/** Read by others that share the file: Node, PostgreSQL's driver, Docker Compose and the tests. */
const FOREIGN = [
  /^(?:NODE_|PG|COMPOSE_|TEST_)/,
  /^(?:SITE|POSTGRES_PASSWORD|TZ|CHROMIUM_PATH|SITE_DIR)$/,
];

/** What the file sets; nothing when there is none. Throws StartupError if it cannot be read. */
export function readEnvFile(path: string): Readonly<Record<string, string>> {
  const bytes = readIfThere(path);
  if (bytes === null) return {};
  if (isUtf16(bytes)) throw new StartupError(`${path} is in UTF-16: save it as UTF-8.`);
  // Some editors on Windows put a byte order mark in front, which would belong to the first name.
  return parseEnv(bytes.toString('utf8').replace(/^\uFEFF/, '')) as Record<string, string>;
}

/** One sentence for each name that is no setting, with the nearest one. */
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

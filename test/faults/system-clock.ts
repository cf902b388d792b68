/** A system clock for some programs only, to be set while they run. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SystemClock = {
  /** Environment of the programs that use it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Relative to the true time. CLOCK_MONOTONIC goes on, as it does when a real clock is set. */
  set(byMs: number): void;
  remove(): void;
};

const LIBRARIES = '/usr/lib';

/** Throws without libfaketime. */
export function openSystemClock(): SystemClock {
  const library = findLibrary();
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-clock-'));
  // PostgreSQL reads it as another user.
  chmodSync(folder, 0o755);
  const file = join(folder, 'clock');
  const set = (byMs: number) => {
    writeFileSync(`${file}.next`, `${byMs < 0 ? '' : '+'}${byMs / 1000}\n`);
    renameSync(`${file}.next`, file);
  };
  set(0);
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function findLibrary(): string {
  const folders = existsSync(LIBRARIES) ? readdirSync(LIBRARIES) : [];
  const found = folders
    .map((name) => join(LIBRARIES, name, 'faketime', 'libfaketime.so.1'))
    .find(existsSync);
  if (found === undefined)
    throw new Error(
      'Tests that move the clock of programs need libfaketime: install it ' +
        '(Debian and Ubuntu: apt-get install faketime).',
    );
  return found;
}

/** A machine as install.md sets it up, in a folder: the program, its data, and a little systemd. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createDatabase } from '../support/postgres-databases.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { freePort } from '../support/server-process.ts';

export type Scratch = Awaited<ReturnType<typeof openScratch>>;

/** Starts and stops the server as `systemctl` would, and waits until it answers. */
const SYSTEMCTL = `#!/bin/bash
pid=$(cat "$SCRATCH/pid" 2>/dev/null)
case "$*" in
  "start waitlist")
    cd "$SCRATCH/app"
    nohup node scripts/start.ts >> "$SCRATCH/log" 2>&1 &
    echo $! > "$SCRATCH/pid"
    curl --silent --fail --retry 240 --retry-delay 1 --retry-connrefused \\
      --output /dev/null "$SCRATCH_URL/healthz" || { cat "$SCRATCH/log"; exit 1; }
    ;;
  "stop waitlist.socket waitlist")
    [ -z "$pid" ] || kill "$pid"
    while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
    rm -f "$SCRATCH/pid"
    ;;
  *) echo "There is no systemctl $* here." >&2; exit 1 ;;
esac
`;
const JOURNALCTL = `#!/bin/bash
cat "$SCRATCH/log"
`;

export async function openScratch() {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-runbook-'));
  chmodSync(folder, 0o755);
  const app = join(folder, 'app');
  const postgres = await startPostgres();
  const database = await createDatabase(postgres.url);
  const url = `http://127.0.0.1:${await freePort()}`;
  const environment: NodeJS.ProcessEnv = {
    ...inherited(),
    PATH: [join(folder, 'bin'), join(app, 'node_modules/.bin'), process.env.PATH].join(':'),
    HOME: folder,
    SCRATCH: folder,
    SCRATCH_URL: url,
  };
  const places: readonly (readonly [string, string])[] = [
    ['postgres://waitlist:password@127.0.0.1:5432/waitlist', database.url],
    ['http://127.0.0.1:3000', url],
    ['/var/lib/waitlist', join(folder, 'data')],
    ['/var/backups/waitlist', join(folder, 'backups')],
    // The user does not exist here.
    [' -o waitlist -g waitlist', ''],
  ];

  copyProgram(app);
  for (const [name, script] of Object.entries({ systemctl: SYSTEMCTL, journalctl: JOURNALCTL })) {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'bin', name), script, { mode: 0o755 });
  }
  mkdirSync(join(folder, 'backups'), { mode: 0o700 });
  const settings = [
    `PORT=${new URL(url).port}`,
    `DATA_DIR=${join(folder, 'data')}`,
    `MAIL_WEBHOOK_SECRET=whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  ];
  writeFileSync(join(app, '.env'), `${settings.join('\n')}\n`);

  return {
    app,
    url,
    environment,
    /** Puts this machine's folders and addresses in the place of those of the documents. */
    adapt: (text: string) =>
      places.reduce((adapted, [from, to]) => adapted.replaceAll(from, to), text),
    async remove() {
      const pidFile = join(folder, 'pid');
      if (existsSync(pidFile)) killIfRunning(Number(readFileSync(pidFile, 'utf8')));
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended by itself, such as a server that did not start.
  }
}

/** The files that git knows or would add, with the packages and the built site of this checkout. */
function copyProgram(app: string): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const path of listed.split('\n').filter((each) => each !== '' && existsSync(each))) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    cpSync(path, join(app, path), { preserveTimestamps: true });
  }
  if (existsSync('dist')) cpSync('dist', join(app, 'dist'), { recursive: true });
  // A folder of links, not one link: an npm that installs here would empty this checkout's.
  mkdirSync(join(app, 'node_modules'));
  for (const name of readdirSync('node_modules'))
    symlinkSync(resolve('node_modules', name), join(app, 'node_modules', name));
}

/** The environment without settings of the waitlist and of a surrounding npm. */
function inherited(): NodeJS.ProcessEnv {
  const example = readFileSync('.env.example', 'utf8');
  const settings = Array.from(example.matchAll(/^# ([A-Z_]+)=/gm), ([, name]) => name);
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !settings.includes(name) && !/^npm_/i.test(name),
    ),
  );
}

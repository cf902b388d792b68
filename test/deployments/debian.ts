/** An empty Debian in a folder, made by debootstrap. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const MIRROR = 'http://deb.debian.org/debian';
/** Kept for the next run: making one takes minutes. debootstrap allows no space in the path. */
const KEPT = join(tmpdir(), 'waitlist-deployments');
/** Certificates of a machine whose network has its own authority. */
const AUTHORITY = process.env.NODE_EXTRA_CA_CERTS;
/** Where Debian's own certificates do not replace it. */
const AUTHORITY_INSIDE = '/etc/ssl/authority.pem';

/** Copies a minimal Debian with these packages to `folder`, which must not exist yet. */
export function makeDebian(folder: string, suite: string, packages: readonly string[] = []): void {
  const kept = join(KEPT, [suite, ...packages].join('-'));
  if (!existsSync(kept)) {
    const unfinished = `${kept}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    const include = packages.length > 0 ? [`--include=${packages.join(',')}`] : [];
    run('debootstrap', ['--variant=minbase', ...include, suite, unfinished, MIRROR]);
    renameSync(unfinished, kept);
  }
  mkdirSync(dirname(folder), { recursive: true });
  run('cp', ['-a', kept, folder]);
  writeFileSync(join(folder, 'etc/dpkg/dpkg.cfg.d/throw-away'), 'force-unsafe-io\n');
  cpSync('/etc/resolv.conf', join(folder, 'etc/resolv.conf'), { dereference: true });
  if (AUTHORITY === undefined) return;
  mkdirSync(join(folder, 'etc/ssl'), { recursive: true });
  cpSync(AUTHORITY, join(folder, AUTHORITY_INSIDE), { dereference: true });
  writeFileSync(join(folder, 'etc/environment'), `NODE_EXTRA_CA_CERTS=${AUTHORITY_INSIDE}\n`);
}

/** What npm and Node inside need on such a machine; empty elsewhere. */
export function environmentInside(): Record<string, string> {
  return AUTHORITY === undefined ? {} : { NODE_EXTRA_CA_CERTS: AUTHORITY_INSIDE };
}

/** Throws with all that the program printed. */
export function run(program: string, words: readonly string[]): string {
  try {
    return execFileSync(program, words, { encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 28 });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${words.join(' ')} failed:\n${stdout}${stderr}`);
  }
}

const SCRIPT = '/root/script';
const OUTPUT = '/root/output';
const EXIT_STATUS = '/root/exit-status';
/** Runs the script once the machine is up, and switches it off. */
const UNIT = `[Unit]
After=multi-user.target
[Service]
Type=oneshot
Environment=HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive
ExecStart=/bin/bash -eu ${SCRIPT}
ExecStopPost=/bin/sh -c 'echo $EXIT_STATUS > ${EXIT_STATUS}; systemctl poweroff --no-block'
StandardOutput=file:${OUTPUT}
StandardError=inherit
[Install]
WantedBy=multi-user.target
`;

/**
 * Boots a Debian that has systemd as a container, with the network of this machine, and runs a
 * script in it as root. Resolves with all that was printed, and the exit status.
 */
export async function runInBooted(
  folder: string,
  script: string,
): Promise<{ exitStatus: string; output: string }> {
  const units = join(folder, 'etc/systemd/system');
  mkdirSync(join(units, 'multi-user.target.wants'), { recursive: true });
  writeFileSync(join(units, 'script.service'), UNIT);
  symlinkSync('../script.service', join(units, 'multi-user.target.wants/script.service'));
  writeFileSync(join(folder, SCRIPT), script);
  const words = ['--quiet', '--register=no', '--keep-unit', '--directory', folder, '--boot'];
  const child = spawn('systemd-nspawn', words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  await once(child, 'close');
  if (!existsSync(join(folder, EXIT_STATUS))) throw new Error(`Debian did not boot:\n${said}`);
  return {
    exitStatus: readFileSync(join(folder, EXIT_STATUS), 'utf8').trim(),
    output: readFileSync(join(folder, OUTPUT), 'utf8'),
  };
}

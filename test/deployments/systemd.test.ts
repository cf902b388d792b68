/** deploy/waitlist.service and waitlist.socket in a real systemd, while the server cannot start. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { freePort } from '../support/server-process.ts';
import { findMissing, findProgram, testUnless } from './programs.ts';

/** More than the five within ten seconds after which systemd gives up by itself. */
const FAILING_STARTS = 8;
const VISITORS = 20;
/** Only a guard against waiting for ever: eight pauses and nine starts take 20 s on two cores. */
const DEADLINE_MS = 300_000;
const isRoot = process.getuid?.() === 0;

/** A manager of user units. It believes in a booted system, and no unit of this machine is near. */
const BOOT = `
mount -t tmpfs tmpfs /run
mkdir -p -m 700 /run/systemd/system "$XDG_RUNTIME_DIR"
/lib/systemd/systemd --user --unit=waitlist.socket &
wait
`;

/** Without what only the system's manager can do: another user, and hardening. */
function adaptService(unit: string, command: string): string {
  const [head = '', service = ''] = unit.split('[Service]\n');
  const limits = head.match(/^StartLimit.*$/gm) ?? [];
  const restart = service.match(/^(Restart|Timeout).*$/gm) ?? [];
  return ['[Unit]', ...limits, '[Service]', `ExecStart=${command}`, ...restart, ''].join('\n');
}

testUnless(
  'visitors wait in the socket while a server fails to start again and again',
  isRoot ? findMissing('unshare', 'systemctl') : 'root needed',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waitlist-systemd-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const port = await freePort();
    const starts = join(folder, 'starts');
    writeFileSync(starts, '');
    const script = join(folder, 'start.sh');
    writeFileSync(
      script,
      `echo start >> ${starts}
[ $(wc -l < ${starts}) -gt ${FAILING_STARTS} ] || exit 1
export PORT=${port} DATA_DIR=${join(folder, 'data')} NODE_ENV=production
cd "${process.cwd()}" && exec "${process.execPath}" server/main.ts
`,
    );
    const units = join(folder, 'systemd/user');
    mkdirSync(units, { recursive: true });
    const service = readFileSync('deploy/waitlist.service', 'utf8');
    writeFileSync(join(units, 'waitlist.service'), adaptService(service, `/bin/bash ${script}`));
    const socket = readFileSync('deploy/waitlist.socket', 'utf8');
    writeFileSync(join(units, 'waitlist.socket'), socket.replace(':3000', `:${port}`));

    const words = [
      '--mount',
      '--pid',
      '--fork',
      '--mount-proc',
      '--kill-child',
      'bash',
      '-euc',
      BOOT,
    ];
    const env = { ...process.env, XDG_CONFIG_HOME: folder, XDG_RUNTIME_DIR: '/run/manager' };
    const manager = spawn(findProgram('unshare') ?? '', words, { env, stdio: 'ignore' });
    const ended = once(manager, 'exit');
    onTestFinished(async () => {
      manager.kill('SIGKILL');
      await ended;
    });

    const visit = async () => {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      return (await fetch(`http://127.0.0.1:${port}/readyz`, { signal })).status;
    };
    // Refused until the manager has opened the socket.
    const visitors = Array.from({ length: VISITORS }, () =>
      vi.waitFor(visit, { timeout: DEADLINE_MS }),
    );
    expect(new Set(await Promise.all(visitors))).toEqual(new Set([200]));
    expect(readFileSync(starts, 'utf8').match(/start/g)).toHaveLength(FAILING_STARTS + 1);
  },
);

/** docs/install.md, typed on an empty Debian that runs systemd. */
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { freePort } from '../support/server-process.ts';
import { makeDebian, run, runInBooted } from './debian.ts';
import { type Block, readBlocks } from './install-guide.ts';
import { findMissing, testUnless } from './programs.ts';

const SUITE = 'trixie';
/** What an empty machine has and debootstrap leaves out. */
const PACKAGES = ['systemd-sysv', 'dbus'];
const isRoot = process.getuid?.() === 0;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-install-'));
  chmodSync(folder, 0o755);
});
afterAll(() => void run('rm', ['-rf', folder]));

/** A block as the guide has it, in a login shell for a user other than root. */
function typed({ user, commands }: Block, index: number): string {
  const shell = `bash -eux /srv/block-${index}`;
  return `cat > /srv/block-${index} <<'END OF BLOCK'
${commands}END OF BLOCK
${user === 'root' ? shell : `su - ${user} -c '${shell}'`}
`;
}

const COPIED_SOCKET = 'cp /srv/waitlist/app/deploy/waitlist.socket /etc/systemd/system/\n';

/** What the guide promises of the service and its backup. Both files would be its user's. */
const PROMISES = `
systemctl is-active waitlist waitlist.socket waitlist-backup.timer caddy
systemctl start waitlist-backup
ls /var/backups/waitlist
mkdir -p /run/systemd/system/waitlist.service.d
echo '[Service]
ExecStartPre=-/usr/bin/touch /srv/waitlist/app/written /var/backups/waitlist/written
' > /run/systemd/system/waitlist.service.d/try.conf
systemctl daemon-reload
curl --fail --silent http://127.0.0.1:3000/readyz & systemctl restart waitlist
curl --fail --silent http://127.0.0.1:3000/readyz
wait %1
journalctl --sync
journalctl --unit waitlist --output cat | grep written
`;

testUnless(
  'every command of docs/install.md works on an empty Debian, and the service keeps its promises',
  isRoot ? findMissing('debootstrap', 'git', 'systemd-nspawn') : 'root needed',
  async () => {
    const debian = join(folder, 'debian');
    makeDebian(debian, SUITE, PACKAGES);
    run('git', ['clone', '--quiet', '--bare', '.', join(debian, 'srv/waitlist.git')]);
    writeFileSync(join(debian, 'etc/gitconfig'), '[safe]\n\tdirectory = *\n');
    // No certificate is asked for, and no port of this machine is taken.
    const dropIn = join(debian, 'etc/systemd/system/caddy.service.d');
    mkdirSync(dropIn, { recursive: true });
    writeFileSync(join(dropIn, 'no-network.conf'), '[Service]\nPrivateNetwork=yes\n');
    const port = await freePort();
    const movePort = `sed -i s/:3000/:${port}/ /etc/systemd/system/waitlist.socket\n`;
    const script = `${readBlocks().map(typed).join('')}${PROMISES}`
      .replace(COPIED_SOCKET, COPIED_SOCKET + movePort)
      .replaceAll('https://git.example.com/waitlist.git', '/srv/waitlist.git')
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replace('\nPUBLIC_URL=', `\nPORT=${port}\nPUBLIC_URL=`);
    const { exitStatus, output } = await runInBooted(debian, script);
    expect(exitStatus, output).toBe('0');
    expect(output).toMatch(/(active\n){4}/);
    expect(output.match(/\b0 differences/g)).toHaveLength(2);
    expect(output.match(/written.: Read-only file system/g)).toHaveLength(2);
    expect(output).toMatch(/^waitlist-\S+\.backup$/m);
  },
);

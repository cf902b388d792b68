/**
 * A disk for one test: ext4 on a loop device on a file. The file holds what the file system has
 * written to the device and nothing of its cache, so a copy of the file is the disk after a power
 * cut.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type Disk = ReturnType<typeof createDisk>;

/** The file system writes in bursts: a quiet moment comes soon after the last writer. */
const MAX_COPIES = 50;
const LET_GO_WITHIN_MS = 5_000;

/** Makes an empty disk and mounts it. Throws without the permission to. */
export function createDisk(megabytes: number) {
  assertAllowed();
  const home = mkdtempSync(join(tmpdir(), 'waitlist-disk-'));
  const image = join(home, 'image');
  const kept = join(home, 'kept');
  const folder = join(home, 'mounted');
  chmodSync(home, 0o755);
  mkdirSync(folder);
  writeFileSync(image, '');
  truncateSync(image, megabytes * 1024 * 1024);
  run('mkfs.ext4', '-q', '-m', '0', image);
  let device = mount(image, folder);

  function unmount(): void {
    // A killed process releases its files a moment later.
    const deadline = Date.now() + LET_GO_WITHIN_MS;
    while (spawnSync('umount', [folder]).status !== 0)
      if (Date.now() > deadline) throw new Error(`${folder} is still in use.`);
    run('losetup', '--detach', device);
  }

  return {
    /** The mount point, open to all users, because PostgreSQL runs as another one. */
    folder,
    /** Writes everything to the device. */
    flush: () => run('sync', '--file-system', folder),
    /** Copies the device. Freeze all writers before. */
    keepWhatReachedIt() {
      // A copy that equals the file right afterwards is consistent.
      for (let copies = 0; copies < MAX_COPIES; copies += 1) {
        run('cp', '--sparse=always', image, kept);
        if (spawnSync('cmp', ['--silent', image, kept]).status === 0) return;
      }
      throw new Error('The disk was never quiet: something that is not frozen writes to it.');
    },
    /** Remounts the last copy: what was not on the device is lost. No process may use the disk. */
    losePower() {
      unmount();
      renameSync(kept, image);
      device = mount(image, folder);
    },
    remove() {
      unmount();
      rmSync(home, { recursive: true });
    },
  };
}

/** Writes to a file until its disk is full to the last byte, or has as many bytes left. */
export function fillDisk(file: string, bytesLeft = 0): void {
  const hasRoom = (bytes: number) => {
    const { bfree, bsize } = statfsSync(dirname(file));
    return bytesLeft === 0 || bfree * bsize - bytes > bytesLeft;
  };
  for (const bytes of [1024 * 1024, 4096, 1]) {
    try {
      while (hasRoom(bytes)) appendFileSync(file, Buffer.alloc(bytes));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}

function assertAllowed(): void {
  if (process.getuid?.() !== 0 || !existsSync('/dev/loop-control'))
    throw new Error(
      'Tests of power cuts and full disks need Linux, root and loop devices (/dev/loop-control): ' +
        'run them as root.',
    );
}

/**
 * Bypasses the machine's cache where possible. `commit=300` keeps unsynced data in memory for long.
 */
function mount(image: string, folder: string): string {
  const setUp = (...options: string[]) =>
    spawnSync('losetup', [...options, '--find', '--show', image], { encoding: 'utf8' });
  const direct = setUp('--direct-io=on');
  const { status, stdout, stderr } = direct.status === 0 ? direct : setUp();
  if (status !== 0) throw new Error(`No loop device for the disk: ${stderr}`);
  const device = stdout.trim();
  run('mount', '-o', 'commit=300', device, folder);
  return device;
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'pipe' });
}

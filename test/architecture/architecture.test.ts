/** The import rules of ARCHITECTURE.md, checked on the source tree as it is. */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readSourceFiles, type SourceFile } from './source-files.ts';

const all = readSourceFiles();
const files = all.filter(({ path }) => !/\.test\.tsx?$/.test(path));
const folderOf = (path: string) => path.split('/')[0] ?? '';
const featureOf = (path: string) => (path.startsWith('server/') ? (path.split('/')[1] ?? '') : '');
const isRules = (path: string) => path.endsWith('-rules.ts');

/** One line a violation, so that a failure names the file to change. */
function violations(of: readonly SourceFile[], explain: (file: SourceFile) => readonly string[]): string[] {
  return of.flatMap((file) => explain(file).map((what) => `${file.path}: ${what}`));
}

describe('who may import whom', () => {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    brand: ['brand'],
    contract: ['contract'],
    server: ['server', 'contract', 'brand'],
    web: ['web', 'contract', 'brand'],
    mails: ['mails', 'contract', 'brand'],
    scripts: ['scripts', 'web', 'server', 'contract', 'brand'],
  };

  test.each(Object.entries(allowed))('%s imports %j only', (folder, targets) => {
    const own = files.filter(({ path }) => folderOf(path) === folder);
    expect(own.length).toBeGreaterThan(0);
    const found = violations(own, ({ localImports }) =>
      localImports.filter((path) => !targets.includes(folderOf(path))).map((path) => `imports ${path}`),
    );
    expect(found).toEqual([]);
  });

  test('the browser gets the types of the schemas, never the schemas', () => {
    const web = files.filter(({ path }) => folderOf(path) === 'web');
    const found = violations(web, ({ runtimeImports }) =>
      runtimeImports.filter((path) => path === 'contract/schemas.ts'),
    );
    expect(found).toEqual([]);
  });

  test('parts in web/ui know nothing of the product', () => {
    const ui = files.filter(({ path }) => path.startsWith('web/ui/'));
    const found = violations(ui, ({ localImports }) =>
      localImports.filter((path) => /^(brand\/brand|contract\/|web\/(pages|api|form))/.test(path)),
    );
    expect(found).toEqual([]);
  });

  test('a feature uses the verbs and rules of another, never its store', () => {
    const server = files.filter(({ path }) => folderOf(path) === 'server');
    const found = violations(server, ({ path, localImports }) =>
      localImports.filter((target) => target.endsWith('store.ts') && featureOf(target) !== featureOf(path)),
    );
    expect(found).toEqual([]);
  });

  test('no file imports itself by a detour', () => {
    const byPath = new Map(files.map((file) => [file.path, file]));
    const cycles: string[] = [];
    const done = new Set<string>();
    function walk(path: string, trail: readonly string[]): void {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (done.has(path) || trail.includes(path)) return;
      for (const target of byPath.get(path)?.runtimeImports ?? []) walk(target, [...trail, path]);
      done.add(path);
    }
    for (const { path } of files) walk(path, []);
    expect(cycles).toEqual([]);
  });
});

describe('what a file may touch', () => {
  test('rules touch no clock, randomness, database, HTTP or Node', () => {
    const rules = files.filter(({ path }) => isRules(path));
    expect(rules.length).toBeGreaterThan(3);
    const found = violations(rules, ({ text, localImports, packageImports }) => [
      ...packageImports.filter((name) => name !== 'node:url'),
      ...localImports.filter((path) => /^server\/(db|http)\/|store\.ts$/.test(path)),
      ...(text.match(
        /Date\.now|new Date\(\)|performance\.now|Math\.random|getRandomValues|randomUUID|process\.|fetch\(/g,
      ) ?? []),
    ]);
    expect(found).toEqual([]);
  });

  test('SQL stands in stores and db/ alone', () => {
    const others = files.filter(
      ({ path }) =>
        folderOf(path) === 'server' && !path.endsWith('store.ts') && !/^server\/(db\/|mail\/queue\.ts)/.test(path),
    );
    const found = violations(others, ({ text, packageImports }) => [
      ...packageImports.filter((name) => /^(kysely|pg|@electric-sql\/pglite)/.test(name)),
      ...(text.match(/\bsql`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/g) ?? []),
    ]);
    expect(found).toEqual([]);
  });

  test('only config.ts reads the environment', () => {
    const product = files.filter(
      ({ path }) => /^(server|web|mails|brand|contract)\//.test(path) && path !== 'server/config.ts',
    );
    const found = violations(product, ({ text }) => text.match(/process\.env/g) ?? []);
    expect(found).toEqual([]);
  });
});

describe('how files are named and sized', () => {
  const names = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  }).split('\n');

  test('no folder or file has a name that explains nothing, and there are no barrels', () => {
    const vague = /(^|\/)(utils?|helpers?|common|misc|lib|types|constants|index)(\/|\.tsx?$)/;
    expect(names.filter((name) => vague.test(name))).toEqual([]);
  });

  test('files and folders of the source are kebab-case', () => {
    const source = names.filter((name) =>
      /^(brand|contract|server|web|mails|scripts|test)\/.*\.(ts|tsx|css|mjs|sql)$/.test(name),
    );
    expect(source.filter((name) => !/^[a-z0-9./-]+$/.test(name))).toEqual([]);
  });

  test('no source file is longer than 300 lines', () => {
    expect(all.filter(({ text }) => text.split('\n').length > 301).map(({ path }) => path)).toEqual([]);
  });
});

/** The import rules of ARCHITECTURE.md, checked on the source tree as it is. */
import { describe, expect, test } from 'vitest';
import { PATHS, readTexts, SOURCES, type SourceFile } from './source-files.ts';

const MAX_LINES = 500;
const files = SOURCES.filter(({ path }) => !/\.test\.tsx?$/.test(path));
const folderOf = (path: string) => path.split('/')[0] ?? '';
const moduleOf = (path: string) => /^server\/([^/]+)\//.exec(path)?.[1] ?? '';
/** The platform knows nothing of waitlists, and each module of it nothing of those behind it. */
const PLATFORM = [
  'csv',
  'db',
  'http',
  'durable-work',
  'guard',
  'mail',
  'access',
  'backup',
  'changes',
];
const CORE = ['line'];
/** Features, each with the files that other features may import besides its module.ts. */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  drop: [
    'entrant-store.ts',
    'offers/offer-rules.ts',
    'passes/parcel-store.ts',
    'schedule/schedule.ts',
    'stock/size-rules.ts',
    'stock/store.ts',
    'views/drop-standing.ts',
    'views/get-offers.ts',
  ],
  fairness: ['traces/join-networks.ts'],
  members: [
    'changes/describe-removal.ts',
    'imports/receive-import.ts',
    'links/links.ts',
    'links/store.ts',
    'list/filter-rules.ts',
    'list/filter-store.ts',
    'list/read-members.ts',
    'list/sheet-store.ts',
  ],
  notifications: ['open-mail.ts'],
  overview: [],
  rewards: [],
  site: [
    'brand/describe-examples.ts',
    'pages/same-site.ts',
    'pages/templates.ts',
    'share/share-images.ts',
  ],
  visitors: ['get-stats.ts', 'guarded-join.ts', 'inviter/guarded-inviter.ts', 'verify-code.ts'],
  webhooks: [],
};

/** How a mask goes from the stock to its holder; a folder imports those before it alone. */
const DROP_FOLDERS = 'stock offers passes till hand-over schedule steps views'.split(' ');
const dropFolderOf = (path: string) => /^server\/drop\/([^/]+)\//.exec(path)?.[1] ?? '';

/** Larger is further up; a file beside the folders is none of them. */
function layerOf(module: string): number {
  if (Object.hasOwn(FEATURES, module)) return PLATFORM.length + 1;
  return CORE.includes(module) ? PLATFORM.length : PLATFORM.indexOf(module);
}
const isFeature = (path: string) => Object.hasOwn(FEATURES, moduleOf(path));
/** Hashes, signatures and public suffixes, which depend on their arguments alone. */
const isArithmetic = (name: string) => name.startsWith('@noble/') || name === 'tldts';

/** One line a violation, so that a failure names the file to change. Throws without files. */
function violations(
  of: readonly SourceFile[],
  explain: (file: SourceFile) => readonly string[],
): string[] {
  expect(of).not.toEqual([]);
  return of.flatMap((file) => explain(file).map((what) => `${file.path}: ${what}`));
}

describe('who may import whom', () => {
  const allowed: Readonly<Record<string, readonly string[]>> = {
    brand: ['brand'],
    contract: ['contract'],
    server: ['server', 'contract', 'brand'],
    web: ['web', 'contract', 'brand'],
    console: ['console', 'web', 'contract', 'brand'],
    mails: ['mails', 'contract', 'brand'],
    scripts: ['scripts', 'web', 'server', 'contract', 'brand'],
    studio: ['studio', 'scripts', 'server', 'contract', 'brand'],
  };

  test.each(Object.entries(allowed))('%s imports %j only', (folder, targets) => {
    const own = files.filter(({ path }) => folderOf(path) === folder);
    const found = violations(own, ({ localImports }) =>
      localImports
        .filter((path) => !targets.includes(folderOf(path)))
        .map((path) => `imports ${path}`),
    );
    expect(found).toEqual([]);
  });

  test('the browser gets the types of the schemas, never the schemas', () => {
    const schemas = new Set(
      files
        .filter(
          ({ path, packageImports }) =>
            /^contract/.test(path) && packageImports.includes('typebox'),
        )
        .map(({ path }) => path),
    );
    const browser = files.filter(({ path }) => /^(web|console)\//.test(path));
    const found = violations(browser, ({ runtimeImports }) =>
      runtimeImports.filter((path) => schemas.has(path)),
    );
    expect(schemas).toContain('contract/schemas.ts');
    expect(found).toEqual([]);
  });

  test('parts in web/ui know nothing of the product', () => {
    const ui = files.filter(({ path }) => path.startsWith('web/ui/'));
    const found = violations(ui, ({ localImports }) =>
      localImports.filter((path) => /^(brand\/brand|contract\/|web\/(pages|api|form))/.test(path)),
    );
    expect(found).toEqual([]);
  });

  test('of the site, the console uses parts of web/ui alone', () => {
    const found = violations(
      files.filter(({ path }) => folderOf(path) === 'console'),
      ({ localImports }) => localImports.filter((path) => /^web\/(?!ui\/)/.test(path)),
    );
    expect(found).toEqual([]);
  });

  test('parts in console/ui know nothing of the product', () => {
    const found = violations(
      files.filter(({ path }) => path.startsWith('console/ui/')),
      ({ localImports }) => localImports.filter((path) => !/^(console|web)\/ui\//.test(path)),
    );
    expect(found).toEqual([]);
  });

  test('every folder of the server is platform, core or a feature with its module.ts', () => {
    const paths = files.map(({ path }) => path);
    const modules = new Set(paths.map(moduleOf).filter((name) => name !== ''));
    const known = [...PLATFORM, ...CORE, ...Object.keys(FEATURES)];
    expect([...modules].toSorted()).toEqual(known.toSorted());
    for (const feature of Object.keys(FEATURES))
      expect(paths).toContain(`server/${feature}/module.ts`);
  });

  test('nothing imports from above: features, core, platform in order, types included', () => {
    const server = files.filter(({ path }) => moduleOf(path) !== '');
    const found = violations(server, ({ path, localImports }) =>
      localImports.filter((target) => layerOf(moduleOf(target)) > layerOf(moduleOf(path))),
    );
    expect(found).toEqual([]);
  });

  test('a feature imports what another one offers, and everything offered is imported', () => {
    const offered = Object.entries(FEATURES).flatMap(([feature, paths]) =>
      paths.map((path) => `server/${feature}/${path}`),
    );
    const inside = files
      .filter(({ path }) => isFeature(path))
      .flatMap(({ path, localImports }) =>
        localImports.filter(
          (target) =>
            isFeature(target) &&
            moduleOf(target) !== moduleOf(path) &&
            !target.endsWith('/module.ts'),
        ),
      );
    expect([...new Set(inside)].toSorted()).toEqual(offered.toSorted());
  });

  test('no two features import each other, types included', () => {
    const pairs = new Set(
      files.flatMap(({ path, localImports }) =>
        localImports
          .filter((target) => isFeature(path) && isFeature(target))
          .map((target) => `${moduleOf(path)} ${moduleOf(target)}`),
      ),
    );
    const mutual = [...pairs].filter((pair) => {
      const [one, other] = pair.split(' ');
      return one !== other && pairs.has(`${other} ${one}`);
    });
    expect(pairs).toContain('notifications drop');
    expect(mutual).toEqual([]);
  });

  test('the queue of mails knows no feature', () => {
    const folder = 'server/notifications/delivery/';
    const queue = files.filter(({ path }) => path.startsWith(`${folder}queue`));
    const found = violations(queue, ({ localImports }) =>
      localImports.filter((target) => isFeature(target) && !target.startsWith(folder)),
    );
    expect(found).toEqual([]);
  });

  test('folders of the drop import in one direction, types included', () => {
    const own = files.filter(({ path }) => /^server\/drop\/[^/]+\//.test(path));
    const folders = [...new Set(own.map(({ path }) => dropFolderOf(path)))];
    expect(folders.toSorted()).toEqual(DROP_FOLDERS.toSorted());
    const found = violations(own, ({ path, localImports }) =>
      localImports.filter(
        (target) =>
          target === 'server/drop/module.ts' ||
          DROP_FOLDERS.indexOf(dropFolderOf(target)) > DROP_FOLDERS.indexOf(dropFolderOf(path)),
      ),
    );
    expect(found).toEqual([]);
  });

  test('the stores of the drop and its entrants, beside the folders, import none of them', () => {
    const beside = files.filter(({ path }) => /^server\/drop\/[^/]+-store\.ts$/.test(path));
    const found = violations(beside, ({ localImports }) =>
      localImports.filter((target) => dropFolderOf(target) !== ''),
    );
    expect(found).toEqual([]);
  });

  test('a file of the drop with one importer has at least 25 lines, unless it has a test', () => {
    const own = files.filter(({ path }) => path.startsWith('server/drop/'));
    const found = violations(own, ({ path, text }) => {
      const importers = files.filter(({ localImports }) => localImports.includes(path));
      const isTested = PATHS.includes(path.replace(/\.ts$/, '.test.ts'));
      return importers.length === 1 && !isTested && text.split('\n').length <= 25
        ? ['belongs into its importer']
        : [];
    });
    expect(found).toEqual([]);
  });

  test('only open-server.ts composes: nothing else imports app.ts', () => {
    const found = files.filter(
      ({ path, runtimeImports }) =>
        path.startsWith('server/') && runtimeImports.includes('server/app.ts'),
    );
    expect(found.map(({ path }) => path)).toEqual(['server/open-server.ts']);
  });

  test('there are no import cycles, types included', () => {
    const byPath = new Map(files.map((file) => [file.path, file]));
    const cycles: string[] = [];
    const done = new Set<string>();
    function walk(path: string, trail: readonly string[]): void {
      if (trail.includes(path))
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (done.has(path) || trail.includes(path)) return;
      for (const target of byPath.get(path)?.localImports ?? []) walk(target, [...trail, path]);
      done.add(path);
    }
    for (const { path } of files) walk(path, []);
    expect(cycles).toEqual([]);
  });
});

describe('what a file may touch', () => {
  test('rules touch no clock, randomness, database, HTTP or Node', () => {
    const rules = files.filter(({ path }) => path.endsWith('-rules.ts'));
    const found = violations(rules, ({ text, localImports, packageImports }) => [
      ...packageImports.filter((name) => name !== 'node:url' && !isArithmetic(name)),
      ...localImports.filter((path) => /^server\/(db|http)\/|store\.ts$/.test(path)),
      ...(text.match(/(Date|performance)\.now|new Date\(\)|process\.|fetch\(/g) ?? []),
      ...(text.match(/Math\.random|getRandomValues|randomUUID/g) ?? []),
    ]);
    expect(found).toEqual([]);
  });

  test('SQL stands in stores and db/ alone', () => {
    const others = files.filter(
      ({ path }) =>
        folderOf(path) === 'server' &&
        !path.endsWith('store.ts') &&
        !/^server\/(db\/|notifications\/delivery\/queue\.ts)/.test(path),
    );
    const found = violations(others, ({ text, packageImports, localImports }) => [
      ...packageImports.filter((name) => /^(kysely|pg|@electric-sql\/pglite)/.test(name)),
      ...localImports.filter((path) => path === 'server/db/rows.ts'),
      ...(text.match(/\bsql`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/g) ?? []),
    ]);
    expect(found).toEqual([]);
  });

  test('only config.ts reads the environment', () => {
    const product = files.filter(
      ({ path }) =>
        /^(server|web|console|mails|brand|contract)\//.test(path) && path !== 'server/config.ts',
    );
    const found = violations(product, ({ text }) => text.match(/process\.env/g) ?? []);
    expect(found).toEqual([]);
  });
});

describe('how files are named and sized', () => {
  test('no folder or file has a name that explains nothing, and there are no barrels', () => {
    const vague = /(^|\/)(utils?|helpers?|common|misc|lib|types|constants|index)(\/|\.tsx?$)/;
    expect(PATHS.filter((path) => vague.test(path))).toEqual([]);
  });

  test('files and folders of the source are kebab-case', () => {
    const source = PATHS.filter((path) => /\/.*\.(tsx?|css|mjs|sql)$/.test(path));
    // A file of an SQL function or type bears its name.
    const isSqlName = (path: string) => /\/functions\/([a-z-]+\/)?[a-z_]+\.sql$/.test(path);
    const odd = source.filter((path) => !/^[a-z0-9./-]+$/.test(path) && !isSqlName(path));
    expect(odd).toEqual([]);
  });

  test(`no source file is longer than ${MAX_LINES} lines`, () => {
    const long = readTexts(/\.(tsx?|css)$/).filter(
      ({ text }) => text.split('\n').length > MAX_LINES + 1,
    );
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

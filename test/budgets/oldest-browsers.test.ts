/** The built site runs in the browsers that scripts/build/oldest-browsers.ts names. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { OLDEST_BROWSERS } from '../../scripts/build/oldest-browsers.ts';
import { buildSite, DIST } from '../../scripts/build.ts';
import { compatOf, findNewerNames, findNewerStyles, firstVersions } from './newer-features.ts';

const ALLOWED_NAMES = allow({
  'asked for before it is used': [
    'requestIdleCallback',
    '.startViewTransition',
    '.share',
    '.canShare',
    '.audioSession',
    '.connection',
    '.saveData',
  ],
  'asked for by React before it is used': [
    'navigation',
    '.currentEntry',
    '.transition',
    '.canIntercept',
    '.info',
    'setImmediate',
    '.downlink',
    '.movementX',
    '.movementY',
  ],
  'only read, and may be undefined': ['.popover', '.fetchPriority', '.imageSizes'],
  'a member of an object of ours': [
    '.draw',
    '.fallback',
    '.format',
    '.level',
    '.isActive',
    '.memory',
    '.opacity',
    '.path',
    '.retry',
    '.side',
    '.stats',
    '.variant',
  ],
  "a member of an object of React's or Lucide's": [
    '.Profiler',
    '.alternate',
    '.animation',
    '.createContext',
    '.cssFloat',
    '.delay',
    '.destroy',
    '.dispatch',
    '.displayName',
    '.div',
    '.element',
    '.last',
    '.locale',
    '.node',
    '.priority',
    '.queue',
    '.tag',
    '.toSorted',
    '.use',
  ],
  'asked for before it is used, by the hashes of the draw': [
    '.fromHex',
    '.toHex',
    'Uint8Array.fromHex',
  ],
  'properties of curves and points, which check the draw': [
    '.beta',
    '.drop',
    '.equals',
    '.expand',
    '.first',
    '.getPublicKey',
    '.isValid',
    '.mul',
    '.neg',
    '.windows',
  ],
});

/** Without them a page looks plainer, and nothing overlaps or is missing. */
const ALLOWED_STYLES = allow({
  'tints of light and of one card': ['color-mix'],
  'finer proportions of the ghost, and room beside a toast': ['has'],
  'text that a swipe does not select': ['user-select'],
  'where lines break, and a page that does not shift as it grows': [
    'scrollbar-gutter',
    'text-wrap',
  ],
  'no transition between pages': [
    'view-transition-group',
    'view-transition-name',
    'view-transition-new',
    'view-transition-old',
  ],
  'the colours of selected text': ['selection'],
  'for systems that those browsers do not run on, or do not adapt to': [
    'forced-color-adjust',
    'text-size-adjust',
  ],
  'written with its prefix too': ['mask-image', 'mask-size'],
});

const scripts: string[] = [];
let css = '';

beforeAll(async () => {
  await buildSite({ outDir: DIST });
  const files = await readdir(join(DIST, 'site'), { recursive: true });
  const read = (file: string) => readFile(join(DIST, file), 'utf8');
  for (const file of files.filter((name) => name.endsWith('.js')))
    scripts.push(await read(join('site', file)));
  const page = await read('pages/status.html');
  scripts.push(/<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '');
  css = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
}, 120_000);

function allow(namesByReason: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.values(namesByReason).flat();
}

test('no script uses what the oldest browsers lack', () => {
  expect(scripts.length).toBeGreaterThan(5);
  const found = [...new Set(scripts.flatMap(findNewerNames))];
  expect(found.toSorted()).toEqual(ALLOWED_NAMES.toSorted());
});

test('no style that the layout needs is newer than the oldest browsers', () => {
  const found = findNewerStyles(css);
  expect(found).toEqual(ALLOWED_STYLES.toSorted());
});

test('a style that is newer takes no older one with it', () => {
  // A selector that a browser lacks drops its whole rule.
  const lists = [...css.matchAll(/[{}]([^{}@]*:has\([^{}]*)\{/g)].map(([, list]) => list ?? '');
  expect(lists.length).toBeGreaterThan(0);
  expect(lists.filter((list) => list.replaceAll(/\([^()]*\)/g, '').includes(','))).toEqual([]);
  // A mix of variables fails when it is computed: then the ground beneath has to be its own.
  expect(css).toContain('background-image:radial-gradient');
  expect(css).not.toMatch(/[;{]background:[^;}]*color-mix/);
  expect(css).toMatch(/content:counter\([^;]*;content:counter\(/);
});

test('the oldest browsers are the first with all that the inline script asks for', () => {
  const asked = [
    ['css', 'types', 'length', 'container_query_length_units'],
    ['css', 'types', 'length', 'viewport_percentage_units_small'],
    ['css', 'at-rules', 'media', 'range_syntax'],
  ].map((path) => firstVersions(compatOf(...path)));
  const first = Object.keys(OLDEST_BROWSERS).map((name) => {
    const versions = asked.map((one) => one[name as keyof typeof OLDEST_BROWSERS]);
    return [name, String(Math.max(...versions))];
  });
  expect(Object.fromEntries(first)).toEqual(OLDEST_BROWSERS);
});

test('the README names them', async () => {
  const { chrome, edge, firefox, safari } = OLDEST_BROWSERS;
  expect((await readFile('README.md', 'utf8')).replaceAll(/\s+/g, ' ')).toContain(
    `Chrome ${chrome}, Edge ${edge}, Firefox ${firefox} and Safari ${safari}`,
  );
});

test.each([
  ['AbortSignal.any([a, b])', ['AbortSignal.any']],
  ['const limit = () => AbortSignal["any"](signals)', ['AbortSignal.any']],
  ['Promise.withResolvers()', ['Promise.withResolvers']],
  ['[3, 1].toSorted()', ['.toSorted']],
  ['list?.toReversed?.()', ['.toReversed']],
  ['const { checkVisibility } = element', ['.checkVisibility']],
  ['navigation.addEventListener(type, listen)', ['navigation']],
  ['CSS.escape(name)', []],
  ['new window.CloseWatcher()', ['CloseWatcher']],
  ['signal.throwIfAborted(); [1].at(-1); new AbortController().abort()', []],
  ['const own = { toSorted: 1, any() {} }; own.any()', []],
])('%s is found to be newer as it should', (script, found) => {
  expect(findNewerNames(script)).toEqual(found);
});

test('newer styles are found among the others', () => {
  const sheet = `@layer a{.b:has(c){anchor-name:--d;color:color-mix(in srgb,red,blue)}}
    @position-try --e{}.f:hover{width:calc(1px + 1cqi)}`;
  expect(findNewerStyles(sheet)).toEqual(['anchor-name', 'color-mix', 'has', 'position-try']);
});

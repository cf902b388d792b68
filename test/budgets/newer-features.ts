/**
 * Finds what scripts and styles use that the oldest browsers of the app do not have, by MDN's data.
 * It knows names, not types, values or options: a method counts as too new when all interfaces
 * that have one of its name got it too late.
 */
import { createRequire } from 'node:module';
import type {
  CompatData,
  CompatStatement,
  Identifier,
  SimpleSupportStatement,
} from '@mdn/browser-compat-data';
import { parseAst } from 'vite';
import { OLDEST_BROWSERS } from '../../scripts/build/oldest-browsers.ts';

const data: CompatData = createRequire(import.meta.url)('@mdn/browser-compat-data');

/** Our name of a browser, and MDN's. */
const BROWSERS = [
  ['chrome', 'chrome'],
  ['edge', 'edge'],
  ['firefox', 'firefox'],
  ['safari', 'safari'],
  ['ios', 'safari_ios'],
] as const;

type BrowserName = (typeof BROWSERS)[number][0];

/** The first version of each browser with the feature; Infinity where none has it. */
export function firstVersions({ support }: CompatStatement): Record<BrowserName, number> {
  const versions = BROWSERS.map(([ours, theirs]) => {
    const statements = [support[theirs] ?? []].flat();
    return [ours, Math.min(...statements.map(versionOf), Number.POSITIVE_INFINITY)];
  });
  return Object.fromEntries(versions);
}

function versionOf(statement: SimpleSupportStatement): number {
  const { version_added: added, version_removed, flags, prefix, alternative_name } = statement;
  const isPlain = !(version_removed || flags || prefix || alternative_name);
  // '≤37': that version or an older one. false and 'preview' are no versions.
  const version = Number.parseFloat(String(added).replace('≤', ''));
  return isPlain && !Number.isNaN(version) ? version : Number.POSITIVE_INFINITY;
}

/** Throws for a path that MDN does not describe. */
export function compatOf(...path: readonly string[]): CompatStatement {
  const found = path.reduce<Identifier | undefined>(
    (place, name) => place?.[name],
    data as unknown as Identifier,
  );
  if (!found?.__compat) throw new Error(`There is no ${path.join('.')} in MDN's data.`);
  return found.__compat;
}

function isTooNew(compat: CompatStatement | undefined): boolean {
  if (!compat) return false;
  const versions = firstVersions(compat);
  return BROWSERS.some(([name]) => versions[name] > Number(OLDEST_BROWSERS[name]));
}

const { builtins } = data.javascript;
const interfaces = { ...data.api, ...builtins };
const windowMembers = data.api.Window ?? {};

/** Members by name, of all interfaces: true where every one of them is too new. */
const isMemberTooNew = new Map<string, boolean>();
for (const described of Object.values(interfaces)) {
  for (const [name, { __compat }] of Object.entries(described)) {
    if (name === '__compat' || !__compat) continue;
    const isOnlyNew = isMemberTooNew.get(name) ?? true;
    isMemberTooNew.set(name, isOnlyNew && isTooNew(__compat));
  }
}

const isGlobalTooNew = (name: string) =>
  Object.hasOwn(interfaces, name)
    ? isTooNew(interfaces[name]?.__compat)
    : Object.hasOwn(windowMembers, name) && isTooNew(windowMembers[name]?.__compat);

/** `_static` is MDN's suffix; built-ins of the language have none. */
const staticMember = (owner: string, name: string) =>
  data.api[owner]?.[`${name}_static`]?.__compat ?? builtins?.[owner]?.[name]?.__compat;

type Node = { readonly type: string; readonly [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Names such as `Interface.member`, `.member` and `global`, sorted. */
export function findNewerNames(script: string): string[] {
  const found = new Set<string>();

  function visit(value: unknown): void {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    const { type } = value;
    if (type === 'MemberExpression') {
      visit(value.object);
      const name = nameOfKey(value.property, value.computed);
      if (name === null) visit(value.property);
      else addMember(value.object, name);
    } else if (['Property', 'PropertyDefinition', 'MethodDefinition'].includes(type)) {
      if (value.computed) visit(value.key);
      visit(value.value);
    } else if (type === 'ObjectPattern') {
      for (const property of value.properties as readonly Node[]) {
        const name = nameOfKey(property.key, property.computed);
        if (name !== null) addMember(null, name);
        visit(property);
      }
    } else if (type === 'Identifier') {
      if (isGlobalTooNew(String(value.name))) found.add(String(value.name));
    } else Object.values(value).forEach(visit);
  }

  function addMember(object: unknown, name: string): void {
    const owner = isNode(object) && object.type === 'Identifier' ? String(object.name) : '';
    const known = staticMember(owner, name);
    if (known) {
      if (isTooNew(known)) found.add(`${owner}.${name}`);
    } else if (['window', 'globalThis', 'self'].includes(owner)) {
      if (isGlobalTooNew(name)) found.add(name);
    } else if (isMemberTooNew.get(name)) found.add(`.${name}`);
  }

  visit(parseAst(script).body);
  return [...found].sort();
}

/** null for a key that only a run can tell. */
function nameOfKey(key: unknown, isComputed: unknown): string | null {
  if (!isNode(key)) return null;
  if (key.type === 'Literal' && typeof key.value === 'string') return key.value;
  return key.type === 'Identifier' && !isComputed ? String(key.name) : null;
}

/** Properties, at-rules, pseudo-classes and functions of a style sheet that are too new, sorted. */
export function findNewerStyles(css: string): string[] {
  const { properties, selectors, types } = data.css;
  const atRules = data.css['at-rules'];
  const kinds: readonly [RegExp, (name: string) => CompatStatement | undefined][] = [
    [/(?<=[{;])\s*([a-z][a-z-]*)(?=\s*:)/g, (name) => properties?.[name]?.__compat],
    [/(?<=@)([a-z][a-z-]*)/g, (name) => atRules?.[name]?.__compat],
    // A value may look like one, but no block follows it.
    [/(?<=[^:]::?)([a-z][a-z-]*)(?=[^;{}]*\{)/g, (name) => selectors?.[name]?.__compat],
    [/\b([a-z][a-z-]*)(?=\()/g, (name) => findDeep(types, name)],
  ];
  const found = kinds.flatMap(([pattern, describe]) =>
    [...css.matchAll(pattern)]
      .map(([, name = '']) => name)
      .filter((name) => isTooNew(describe(name))),
  );
  return [...new Set(found)].sort();
}

function findDeep(place: Identifier | undefined, name: string): CompatStatement | undefined {
  const { __compat, ...inside } = place ?? {};
  for (const [key, described] of Object.entries(inside)) {
    const found = key === name ? described.__compat : findDeep(described, name);
    if (found) return found;
  }
  return undefined;
}

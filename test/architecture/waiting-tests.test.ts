/** Browser tests wait for what they expect of a page: a single read depends on the machine. */
import { expect, test } from 'vitest';
import { readTexts } from './source-files.ts';
import { isNode, type Node, parse, walk } from './syntax.ts';

/** Methods of Playwright that answer at once. */
const READERS = new Set(
  `allInnerTexts allTextContents ariaSnapshot boundingBox content count evaluate evaluateAll
  getAttribute innerHTML innerText inputValue isChecked isDisabled isEditable isEnabled isHidden
  isVisible textContent title`.split(/\s+/),
);
/** Methods of Playwright that change a page, and so may not be tried again and again. */
const ACTORS = new Set(
  `check click fill goBack goForward goto hover press reload runFor selectOption setInputFiles
  tap type uncheck`.split(/\s+/),
);
const LOOKS_AT_PAGES = /from '(playwright-core|[^']*\/support\/(browser|engines\/[a-z-]+)\.ts)'/;

const isFunction = ({ type }: Node) => /Function/.test(type);
const isAwait = ({ type }: Node) => type === 'AwaitExpression';
const nameOf = (node: unknown) => (isNode(node) ? String(node.name) : '');

/** The node without the functions in it, which run later. */
const walkNow = (node: Node) => walk(node, (child) => !isFunction(child));

/** Name of the called function or method, and of the method's object. */
function calledBy(node: Node): { readonly name: string; readonly object: string | null } | null {
  const { type, callee } = node;
  if (type !== 'CallExpression' || !isNode(callee)) return null;
  return callee.type === 'MemberExpression'
    ? { name: nameOf(callee.property), object: nameOf(callee.object) }
    : { name: nameOf(callee), object: null };
}

function isRead(node: Node, ownReaders: ReadonlySet<string> = new Set()): boolean {
  const called = calledBy(node);
  return called !== null && (called.object === null ? ownReaders : READERS).has(called.name);
}

/** `vi.waitFor` retries its argument. */
function isTriedAgain(node: Node): boolean {
  const called = calledBy(node);
  return called?.object === 'vi' && called.name === 'waitFor';
}

/** Each name that `const name = ...` or `function name()` gives, with what it stands for. */
function definitions(scope: Node): [name: string, value: Node][] {
  return walk(scope).flatMap((node): [string, Node][] => {
    if (node.type === 'FunctionDeclaration') return [[nameOf(node.id), node]];
    const { type, id, init } = node;
    if (type !== 'VariableDeclarator' || !isNode(id) || !isNode(init)) return [];
    return walk(id).flatMap((one) => (one.type === 'Identifier' ? [[nameOf(one), init]] : []));
  });
}

/** Everything within a function's body; nothing for other nodes. */
function returned({ type, body }: Node): Node[] {
  if (!/Function/.test(type) || !isNode(body)) return [];
  if (body.type !== 'BlockStatement') return walk(body);
  return walkNow(body).flatMap((one) => (one.type === 'ReturnStatement' ? walk(one) : []));
}

/** Where a file expects something of what it has read of a page once. */
function findHasty(program: Node): Node[] {
  const namesIn = (scope: Node, isWanted: (value: Node) => boolean) =>
    new Set(definitions(scope).flatMap(([name, value]) => (isWanted(value) ? [name] : [])));
  const ownReaders = namesIn(program, (value) => returned(value).some((one) => isRead(one)));
  const isReadOnce = (value: Node) =>
    walkNow(value).some(isAwait) && walk(value).some((one) => isRead(one, ownReaders));
  const isPatient = (node: Node) => !isTriedAgain(node);
  return walk(program, isPatient)
    .filter(isFunction)
    .flatMap((scope) => {
      const readOnce = namesIn(scope, (value) => !isFunction(value) && isReadOnce(value));
      return walk(scope, isPatient).filter((node) => {
        const [actual] = Array.isArray(node.arguments) ? node.arguments.filter(isNode) : [];
        if (calledBy(node)?.name !== 'expect' || actual === undefined) return false;
        return walkNow(actual).some(
          (one) =>
            isAwait(one) ||
            calledBy(one)?.name === 'url' ||
            (one.type === 'Identifier' && readOnce.has(nameOf(one))),
        );
      });
    });
}

/** Polls whose function acts, by itself or by a function of the same file. */
function findActing(program: Node): Node[] {
  const isAct = (node: Node) => {
    const called = calledBy(node);
    return called !== null && called.object !== null && ACTORS.has(called.name);
  };
  const functions = new Map(definitions(program).filter(([, value]) => isFunction(value)));
  return walk(program)
    .filter((node) => calledBy(node)?.object === 'expect' && calledBy(node)?.name === 'poll')
    .filter(({ arguments: given }) =>
      (Array.isArray(given) ? given.filter(isNode) : [])
        .flatMap((one) => walk(one))
        .flatMap((one) => [one, ...walk(functions.get(nameOf(one)) ?? one)])
        .some(isAct),
    );
}

/** A function in a function is looked at twice, so a line may be found more than once. */
function linesOf(found: readonly Node[], text: string): number[] {
  return [...new Set(found.map(({ start }) => text.slice(0, start).split('\n').length))];
}

const FILES = readTexts(/^test\/.*\.ts$/)
  .filter(({ text }) => LOOKS_AT_PAGES.test(text))
  .map((file) => ({ ...file, program: parse(file.text) }));

test('a test acts once, and polls only what it reads', () => {
  const acting = FILES.flatMap(({ path, text, program }) =>
    linesOf(findActing(program), text).map((line) => `${path}:${line}: act before the poll`),
  );
  expect(acting).toEqual([]);
});

test.each([
  ['await expect.poll(() => join(page)).toBe(1);', true],
  ['await expect.poll(async () => { await page.reload(); return page.url(); }).toBe("");', true],
  ['await page.reload(); await expect.poll(() => page.url()).toBe("");', false],
])('%s acts in a poll: %s', (body, isActing) => {
  const join = 'async function join(page) { await page.locator("a").click(); }';
  const program = parse(`${join} test("", async () => { ${body} });`);
  expect(findActing(program)).toHaveLength(isActing ? 1 : 0);
});

test('whatever a test expects of a page, it waits for', () => {
  expect(FILES.length).toBeGreaterThan(50);
  const hasty = FILES.flatMap(({ path, text, program }) =>
    linesOf(findHasty(program), text).map(
      (line) => `${path}:${line}: await expect.poll(() => ...)`,
    ),
  );
  expect(hasty).toEqual([]);
});

test.each([
  ['expect(await page.locator("p").count()).toBe(1);', true],
  ['expect((await page.textContent("p"))?.trim()).toBe("1");', true],
  ['expect(page.url()).toBe("/");', true],
  ['const text = await page.textContent("p"); expect(text.trim()).toBe("1");', true],
  ['const { x } = await page.locator("p").boundingBox(); expect(x).toBe(1);', true],
  ['const read = () => page.title(); const it = await read(); expect(it).toBe("");', true],
  ['await expect.poll(() => page.locator("p").count()).toBe(1);', false],
  ['await vi.waitFor(async () => expect(await page.title()).toBe(""));', false],
  ['const old = await page.title(); await expect.poll(() => page.title()).toBe(old);', false],
])('%s is hasty: %s', (body, isHasty) => {
  const program = parse(`test("", async () => { ${body} });`);
  expect(findHasty(program)).toHaveLength(isHasty ? 1 : 0);
});

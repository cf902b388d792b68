/**
 * Translators of browsers replace texts, and React then finds neither a text that it wants to
 * change nor one that stands where it wants to insert. A text alone in its element survives that.
 */
import { expect, test } from 'vitest';
import { SOURCES } from './source-files.ts';
import { isNode, type Node, parse, walk } from './syntax.ts';

/** `fixed`: words. `text`: words that change. `part`: whatever else an expression may render. */
type Kind = 'space' | 'fixed' | 'text' | 'part' | 'element';

function kindOf(child: Node): Kind {
  if (child.type === 'JSXText') return String(child.value).trim() === '' ? 'space' : 'fixed';
  if (child.type !== 'JSXExpressionContainer') return 'element';
  const { expression } = child;
  if (!isNode(expression) || expression.type === 'JSXEmptyExpression') return 'space';
  if (expression.type === 'Literal')
    return String(expression.value).trim() === '' ? 'space' : 'fixed';
  return isText(expression) ? 'text' : 'part';
}

function isText(expression: unknown): boolean {
  if (!isNode(expression)) return false;
  const { type, value } = expression;
  if (type === 'ConditionalExpression')
    return isText(expression.consequent) || isText(expression.alternate);
  if (type === 'LogicalExpression') return isText(expression.right);
  if (type === 'Literal') return typeof value === 'string' && value.trim() !== '';
  return type === 'TemplateLiteral' || type === 'BinaryExpression';
}

/** Offsets of elements in which a text that may change, or beside which something may, is bare. */
function findBareTexts(source: string): number[] {
  return walk(parse(source, 'tsx')).flatMap(({ children, start }) => {
    if (!Array.isArray(children)) return [];
    const kinds = children.map(kindOf).filter((kind) => kind !== 'space');
    const isChanging = kinds.includes('text') || kinds.includes('part');
    const isMixed = kinds.includes('fixed') && isChanging;
    return isMixed || (kinds.includes('text') && kinds.length > 1) ? [start] : [];
  });
}

/** Pages without script never change. */
function listChangingFiles(): readonly string[] {
  const files = new Set(['web/entry-client.tsx', 'console/entry-console.tsx']);
  for (const path of files)
    for (const imported of SOURCES.find((one) => one.path === path)?.runtimeImports ?? [])
      files.add(imported);
  return [...files].filter((path) => /^(web|console)\/.*\.tsx$/.test(path));
}

test.each([
  '<p>Tier {level}</p>',
  '<p>{icon && <Icon />}Tier</p>',
  "<p>{'Tier ' + level}<b /></p>",
  "<p><b />{isOpen ? 'Hide' : 'Show'}</p>",
  "<>{name}{isOpen && ', open'}</>",
])('%s has a bare text', (source) => {
  expect(findBareTexts(source)).toEqual([0]);
});

test.each([
  "<p>{'Tier ' + level}</p>",
  '<p>{icon && <Icon />}<span>Tier</span></p>',
  '<p>In size <strong>{size}</strong>, for good.</p>',
  "<p><span>{text}</span>{' '}{link && <a />}</p>",
])('%s has none', (source) => {
  expect(findBareTexts(source)).toEqual([]);
});

test('a text that may change, or beside which something may, stands alone in its element', () => {
  const paths = listChangingFiles();
  expect(paths.length).toBeGreaterThan(80);
  const found = SOURCES.filter(({ path }) => paths.includes(path)).flatMap(({ path, text }) =>
    findBareTexts(text).map((at) => `${path}:${text.slice(0, at).split('\n').length}`),
  );
  expect(found, 'Write one template literal, or put the text into an element.').toEqual([]);
});

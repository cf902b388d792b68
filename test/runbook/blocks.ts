/** Commands of the operators' documents, with their expected output. */
import { readFileSync } from 'node:fs';

/** Pages of `docs/operate`. Members comes last, because it erases one of the three. */
const OPERATED = [
  'overview',
  'access',
  'backup',
  'postgresql',
  'servers',
  'mail',
  'notifications',
  'changes',
  'fairness',
  'drop',
  'hand-over',
  'rewards',
  'webhooks',
  'members',
].map((page) => `docs/operate/${page}.md`);

/** In the order in which their commands are run. install.md has a script of its own. */
export const DOCUMENTS = ['docs/watch.md', ...OPERATED, 'docs/scale.md', 'docs/rebrand.md'];

/** Blocks with these words are not run, and why. */
export const NOT_RUN: readonly { readonly words: string; readonly because: string }[] = [
  { words: 'docker compose', because: 'it needs a container engine' },
  {
    words: 'psql',
    because: 'it needs a superuser; test/http/postgresql-roles.all.test.ts runs the file',
  },
  { words: 'this-is-the-line --reason', because: 'the line acts already' },
  { words: 'npm run dev', because: 'it runs until it is stopped' },
  { words: 'npm run media', because: 'it needs ffmpeg, and minutes' },
  { words: 'npx vitest', because: 'npm test runs these tests' },
  { words: 'rename-size', because: 'it follows a change of the brand file' },
  { words: 'waitlist-backup', because: 'it needs systemd; the unit makes the backup run here' },
];

/** Programs of others; without them a block is not run. */
export const OPTIONAL_PROGRAMS = ['promtool'];

export type Block = {
  readonly document: string;
  readonly line: number;
  readonly commands: string;
  /** Expected output; null when the document has none. */
  readonly printed: string | null;
  /** Words whose numbers may differ, from a comment above: `<!-- free: 0.3 MB -->`. */
  readonly free: readonly string[];
};

const FREE = /^<!-- free: (.+) -->$/;
const FENCED = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm;

/** Blocks of shell commands; a block of text right after one is its expected output. */
export function readBlocks(document: string): Block[] {
  const text = readFileSync(document, 'utf8');
  const fences = [...text.matchAll(FENCED)];
  return fences.flatMap((fence, index) => {
    const [whole, indent = '', language, body = ''] = fence;
    if (language !== 'sh') return [];
    const next = fences[index + 1];
    const between = text.slice(fence.index + whole.length, next?.index);
    const marked = FREE.exec(between.trim())?.[1];
    const isNext = between.trim() === '' || marked !== undefined;
    const printed = next?.[2] === 'text' && isNext ? (next[3] ?? '') : null;
    return [
      {
        document,
        line: text.slice(0, fence.index).split('\n').length,
        commands: withoutIndent(body, indent),
        printed: printed === null ? null : withoutIndent(printed, indent),
        free: marked?.split(', ') ?? [],
      },
    ];
  });
}

/** Number of fenced blocks without a language, which no check covers. */
export function countUnlabelled(document: string): number {
  const fences = [...readFileSync(document, 'utf8').matchAll(FENCED)];
  return fences.filter(([, , language]) => language === '').length;
}

/**
 * Expected lines that were not printed. They must come in order, with others in between.
 * Spaces stand for any spaces, and numbers in the words of `free` for any numbers.
 */
export function findMissing(
  expected: string,
  printed: string,
  free: readonly string[] = [],
): string[] {
  const lines = printed.split('\n').values();
  return expected
    .split('\n')
    .filter((line) => line.trim() !== '')
    .filter((line) => {
      const pattern = new RegExp(patternOf(line, free));
      for (const next of lines) if (pattern.test(next)) return false;
      return true;
    });
}

/** Placeholder for any number. */
const ANY = '\0';

function patternOf(line: string, free: readonly string[]): string {
  const marked = free.reduce(
    (text, words) => text.replaceAll(words, words.replace(/\d+/g, ANY)),
    line.trim(),
  );
  const escaped = marked.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return escaped
    .replace(/\d+/g, '(?<!\\d)$&(?!\\d)')
    .replaceAll(ANY, '\\d+')
    .replace(/\s+/g, '\\s+');
}

function withoutIndent(text: string, indent: string): string {
  return text.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
}

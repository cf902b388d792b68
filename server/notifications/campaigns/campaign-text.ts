/** The text of a campaign: Markdown without HTML and images, with placeholders for a member. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { CampaignContent, MailBlock, MailWords } from '../../../contract/mails.ts';
import { isStorable } from '../../http/storable-text.ts';
import { nearestName } from '../../nearest-name.ts';

export type CampaignText = { readonly subject: string; readonly body: string };

/** Has placeholders in place of values of members. */
export type ParsedText = { readonly subject: string; readonly blocks: readonly MailBlock[] };

/** There are no blocks beside problems. */
export type ReadText = Pick<ParsedText, 'blocks'> & { readonly problems: readonly string[] };

type Node = ReturnType<typeof fromMarkdown>['children'][number];

const LINKS = ['invite_link', 'status_link'] as const;
const PLACEHOLDERS = ['position', 'referral_count', 'referral_code', ...LINKS] as const;
const LINK_PLACEHOLDERS: readonly string[] = LINKS;
type PlaceholderValues = Readonly<Record<(typeof PLACEHOLDERS)[number], string | number>>;

const PLACEHOLDER = /\{(\w+)\}/g;
/** Whatever stands in braces was meant as a placeholder, and must not leave as it stands. */
const IN_BRACES = /\{([^{}\n]{0,60})\}/g;
const LINK_PLACEHOLDER = /^\{(\w+)\}$/;
/** Within each other: more is a mistake, or an attack on the renderer. */
const MAX_DEPTH = 8;
const DEEPENING = ['blockquote', 'list', 'emphasis', 'strong'];
const TOO_DEEP = `There are more than ${MAX_DEPTH} quotes, lists or stresses within others.`;
/** The parser needs quadratic time for the marks of a paragraph. */
const MAX_MARKS = 1_000;
const MARK = /[*_[\]<`]/g;
const TOO_MANY_MARKS = `A paragraph has more than ${MAX_MARKS} marks such as * and [.`;
/** It needs quadratic time for the underlines and quotes of a text, too. */
const MAX_LINES = 2_000;
const TOO_MANY_LINES = `The text has more than ${MAX_LINES} lines.`;
const LINE_END = /\r\n?|\n/;
/** What opens quotes and lists at the beginning of a line. */
const OPENINGS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)))+/;
const MAX_PROBLEMS = 10;

/** Takes seconds for some texts, so that a new one is read on a thread (text-reader.ts). */
export function readText({ subject, body }: CampaignText): ReadText {
  if (!isStorable(subject + body)) return refuse('The text has characters that cannot be sent.');
  const problems: string[] = [];
  if (subject.trim() === '') problems.push('Please write a subject.');
  if (/\p{Cc}/u.test(subject)) problems.push('The subject must be one line.');
  problems.push(...unknownPlaceholders(subject).map((sentence) => `Subject: ${sentence}`));
  const tooMuch = findTooMuch(body.split(LINE_END));
  if (tooMuch !== null) return refuse(...problems, tooMuch);
  // HTML is text like any other: it is shown as it was typed.
  const { children } = fromMarkdown(body, {
    extensions: [{ disable: { null: ['htmlFlow', 'htmlText'] } }],
  });
  if (children.length === 0) problems.push('Please write a text.');
  for (const node of children) problems.push(...problemsOf(node, 1));
  return problems.length > 0 ? refuse(...problems) : { problems, blocks: children.map(blockOf) };
}

export function refuse(...problems: string[]): ReadText {
  return { problems: [...new Set(problems)].slice(0, MAX_PROBLEMS), blocks: [] };
}

export function titleOf(subject: string): string {
  return subject.replace(PLACEHOLDER, (placeholder, name: string) =>
    PLACEHOLDERS.some((known) => known === name) ? '…' : placeholder,
  );
}

/** The text for one member. */
export function fillCampaign(
  { subject, blocks }: ParsedText,
  values: PlaceholderValues,
): CampaignContent {
  return {
    kind: 'campaign',
    subject: fillWords(subject, values),
    blocks: JSON.parse(JSON.stringify(blocks), (key, value) =>
      key === 'text' || key === 'href' ? fillWords(value, values) : value,
    ),
  };
}

/** Looked for before parsing, which would take seconds, or break at the depth. */
function findTooMuch(lines: readonly string[]): string | null {
  if (lines.length > MAX_LINES) return TOO_MANY_LINES;
  let marks = 0;
  for (const [index, line] of lines.entries()) {
    marks = line.trim() === '' ? 0 : marks + (line.match(MARK)?.length ?? 0);
    if (isTooDeep(line)) return `Line ${index + 1}: ${TOO_DEEP}`;
    if (marks > MAX_MARKS) return `Line ${index + 1}: ${TOO_MANY_MARKS}`;
  }
  return null;
}

function isTooDeep(line: string): boolean {
  const [opened = ''] = OPENINGS.exec(line) ?? [];
  const signs = opened.match(/>|[-+*]|\d+/g) ?? [];
  const last = signs.at(-1);
  // The end of a line such as "> - - -" is a rule.
  const hasRule = opened.length === line.trimEnd().length && (last === '-' || last === '*');
  const depth = hasRule ? signs.findLastIndex((sign) => sign !== last) + 1 : signs.length;
  return depth > MAX_DEPTH;
}

function problemsOf(node: Node, depth: number): string[] {
  const sentences = ownProblems(node, depth).map(
    (sentence) => `Line ${node.position?.start.line ?? 1}: ${sentence}`,
  );
  if (depth > MAX_DEPTH || !('children' in node)) return sentences;
  const inner = DEEPENING.includes(node.type) ? depth + 1 : depth;
  return [...sentences, ...node.children.flatMap((child) => problemsOf(child, inner))];
}

function ownProblems(node: Node, depth: number): string[] {
  if (depth > MAX_DEPTH) return [TOO_DEEP];
  switch (node.type) {
    case 'text':
    case 'code':
    case 'inlineCode':
      return unknownPlaceholders(node.value);
    case 'link':
      return linkProblems(node.url);
    case 'image':
    case 'imageReference':
      return ['Images cannot be sent: use a link.'];
    case 'definition':
    case 'linkReference':
      return ['Write the link beside its words: [words](https://example.com).'];
    default:
      return [];
  }
}

function unknownPlaceholders(text: string): string[] {
  return placeholdersIn(text)
    .filter((name) => !PLACEHOLDERS.some((known) => known === name))
    .map((name) => {
      const isBegun = (known: string) => known.startsWith(name);
      const nearest = nearestName(name.trim(), PLACEHOLDERS) ?? PLACEHOLDERS.find(isBegun);
      const listed = PLACEHOLDERS.map((known) => `{${known}}`).join(', ');
      return nearest === undefined
        ? `{${name}} is unknown. There are ${listed}.`
        : `{${name}} is unknown: did you mean {${nearest}}?`;
    });
}

function placeholdersIn(text: string): string[] {
  return Array.from(text.matchAll(IN_BRACES), ([, name = '']) => name);
}

function linkProblems(url: string): string[] {
  const [, placeholder] = LINK_PLACEHOLDER.exec(url) ?? [];
  if (placeholder !== undefined && LINK_PLACEHOLDERS.includes(placeholder)) return [];
  const unknown = unknownPlaceholders(url);
  if (unknown.length > 0) return unknown;
  if (placeholdersIn(url).length > 0) return [`A placeholder cannot be part of a link: ${url}`];
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    return [`A link must begin with https:// or http://, but this one is "${url}".`];
  const { username, password } = new URL(url);
  return username + password === '' ? [] : [`A link must not have a password in it: ${url}`];
}

/** Takes nodes without problems, and throws for others. */
function blockOf(node: Node): MailBlock {
  switch (node.type) {
    case 'heading':
    case 'paragraph':
      return { kind: node.type, words: node.children.flatMap(wordsOf) };
    case 'list':
      return {
        kind: 'list',
        firstNumber: node.ordered ? (node.start ?? 1) : null,
        items: node.children.map(({ children }) => children.map(blockOf)),
      };
    case 'blockquote':
      return { kind: 'quote', blocks: node.children.map(blockOf) };
    case 'code':
      return { kind: 'code', text: node.value };
    case 'thematicBreak':
      return { kind: 'rule' };
    default:
      throw new Error(`A mail has no place for "${node.type}".`);
  }
}

function wordsOf(node: Node): MailWords[] {
  switch (node.type) {
    case 'text':
      return textOf(node.value);
    case 'inlineCode':
      return [{ kind: 'code', text: node.value }];
    case 'strong':
    case 'emphasis':
      return [{ kind: node.type, words: node.children.flatMap(wordsOf) }];
    case 'link':
      return [
        {
          kind: 'link',
          href: node.url,
          // A link of a member that stands there by itself would be a link within a link.
          words: node.children.flatMap(wordsOf).flatMap(unlinked),
        },
      ];
    case 'break':
      return [{ kind: 'break' }];
    default:
      throw new Error(`A mail has no place for "${node.type}".`);
  }
}

function unlinked(words: MailWords): readonly MailWords[] {
  return words.kind === 'link' ? words.words : [words];
}

function textOf(value: string): MailWords[] {
  const parts = value.split(/(\{(?:invite_link|status_link)\})/);
  return parts
    .filter((text) => text !== '')
    .map((text): MailWords => {
      const words = { kind: 'text', text } as const;
      const [, placeholder = ''] = LINK_PLACEHOLDER.exec(text) ?? [];
      return LINK_PLACEHOLDERS.includes(placeholder)
        ? { kind: 'link', href: text, words: [words] }
        : words;
    });
}

function fillWords(text: string, values: PlaceholderValues): string {
  const named: Readonly<Record<string, string | number>> = values;
  return text.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = named[name];
    if (value === undefined) throw new Error(`No value for ${placeholder}.`);
    return String(value);
  });
}

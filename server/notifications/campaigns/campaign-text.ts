/** The text of a campaign: Markdown without HTML and images, with placeholders for a member. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { MailBlock, MailWords } from '../../../contract/mails.ts';
import { isStorable } from '../../http/storable-text.ts';
import { nearestName } from '../../nearest-name.ts';

export type CampaignText = { readonly subject: string; readonly body: string };

type Root = ReturnType<typeof fromMarkdown>;
type Node = Root['children'][number];

const LINKS = ['invite_link', 'status_link'] as const;
const PLACEHOLDERS = ['position', 'referral_count', 'referral_code', ...LINKS] as const;
const LINK_PLACEHOLDERS: readonly string[] = LINKS;
type PlaceholderValues = Readonly<Record<(typeof PLACEHOLDERS)[number], string | number>>;

const PLACEHOLDER = /\{(\w+)\}/g;
const LINK_PLACEHOLDER = /^\{(\w+)\}$/;
/** Quotes and lists within each other: more is a mistake, or an attack on the renderer. */
const MAX_DEPTH = 8;
const TOO_DEEP = `There are more than ${MAX_DEPTH} quotes or lists within others.`;
const LINE_END = /\r\n?|\n/;
/** What opens quotes and lists at the beginning of a line. */
const OPENINGS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)))+/;
const MAX_PROBLEMS = 10;

export function findTextProblems({ subject, body }: CampaignText): string[] {
  if (!isStorable(subject + body)) return ['The text has characters that cannot be sent.'];
  const problems: string[] = [];
  if (subject.trim() === '') problems.push('Please write a subject.');
  if (/\p{Cc}/u.test(subject)) problems.push('The subject must be one line.');
  problems.push(...unknownPlaceholders(subject).map((sentence) => `Subject: ${sentence}`));
  const deepLine = body.split(LINE_END).findIndex(isTooDeep);
  if (deepLine >= 0) return [...problems, `Line ${deepLine + 1}: ${TOO_DEEP}`];
  const { children } = parse(body);
  if (children.length === 0) problems.push('Please write a text.');
  for (const node of children) problems.push(...problemsOf(node, 1));
  return [...new Set(problems)].slice(0, MAX_PROBLEMS);
}

export function titleOf(subject: string): string {
  return subject.replace(PLACEHOLDER, (placeholder, name: string) =>
    PLACEHOLDERS.some((known) => known === name) ? '…' : placeholder,
  );
}

/** The text for one member. Takes texts without problems, and throws for others. */
export function fillCampaign(
  { subject, body }: CampaignText,
  values: PlaceholderValues,
): { subject: string; blocks: MailBlock[] } {
  return {
    subject: fillWords(subject, values),
    blocks: parse(body).children.map((node) => blockOf(node, values)),
  };
}

/** HTML is text like any other: it is shown as it was typed. */
function parse(body: string): Root {
  return fromMarkdown(body, { extensions: [{ disable: { null: ['htmlFlow', 'htmlText'] } }] });
}

/** Looked for before parsing, which takes seconds for thousands of them on one line. */
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
  const inner = node.type === 'blockquote' || node.type === 'list' ? depth + 1 : depth;
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
      const nearest = nearestName(name, PLACEHOLDERS) ?? PLACEHOLDERS.find(isBegun);
      const listed = PLACEHOLDERS.map((known) => `{${known}}`).join(', ');
      return nearest === undefined
        ? `{${name}} is unknown. There are ${listed}.`
        : `{${name}} is unknown: did you mean {${nearest}}?`;
    });
}

function placeholdersIn(text: string): string[] {
  return Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name);
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

function blockOf(node: Node, values: PlaceholderValues): MailBlock {
  switch (node.type) {
    case 'heading':
    case 'paragraph':
      return { kind: node.type, words: node.children.flatMap((child) => wordsOf(child, values)) };
    case 'list':
      return {
        kind: 'list',
        firstNumber: node.ordered ? (node.start ?? 1) : null,
        items: node.children.map(({ children }) => children.map((one) => blockOf(one, values))),
      };
    case 'blockquote':
      return { kind: 'quote', blocks: node.children.map((child) => blockOf(child, values)) };
    case 'code':
      return { kind: 'code', text: fillWords(node.value, values) };
    case 'thematicBreak':
      return { kind: 'rule' };
    default:
      throw new Error(`A mail has no place for "${node.type}".`);
  }
}

function wordsOf(node: Node, values: PlaceholderValues): MailWords[] {
  switch (node.type) {
    case 'text':
      return textOf(node.value, values);
    case 'inlineCode':
      return [{ kind: 'code', text: fillWords(node.value, values) }];
    case 'strong':
    case 'emphasis':
      return [{ kind: node.type, words: node.children.flatMap((child) => wordsOf(child, values)) }];
    case 'link':
      return [
        {
          kind: 'link',
          href: fillWords(node.url, values),
          // A link of a member that stands there by itself would be a link within a link.
          words: node.children.flatMap((child) => wordsOf(child, values)).flatMap(unlinked),
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

function textOf(text: string, values: PlaceholderValues): MailWords[] {
  const parts = text.split(/(\{(?:invite_link|status_link)\})/);
  return parts
    .filter((part) => part !== '')
    .map((part): MailWords => {
      const filled = fillWords(part, values);
      const words = { kind: 'text', text: filled } as const;
      const [, placeholder = ''] = LINK_PLACEHOLDER.exec(part) ?? [];
      return LINK_PLACEHOLDERS.includes(placeholder)
        ? { kind: 'link', href: filled, words: [words] }
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

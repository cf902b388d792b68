/** HTML5's rule and RFC 5321's lengths, and letters of any script before the @ (RFC 6531). */
import { domainToASCII, domainToUnicode } from 'node:url';
import { invalidField } from '../problem.ts';

export type EmailAddress = {
  readonly email: string;
  readonly identity: string;
};

export const EMAIL_FAULTS = {
  hidden_in_address: 'There is an invisible character in this address. Please type it anew.',
  space_in_address: 'There is a space or a line break in this address. Please take it out.',
  bad_address: 'This does not look like an email address. Please check it.',
};

/** Throws Problem invalid_field, which says why. */
export function readAddress(text: string): EmailAddress {
  const address = readEmail(text);
  if (address === null) throw invalidField(EMAIL_FAULTS[emailFault(text)]);
  return address;
}

/** Why `readEmail` reads no address. */
export function emailFault(text: string): keyof typeof EMAIL_FAULTS {
  const email = unwrap(text);
  if (!/[@＠]/.test(email)) return 'bad_address';
  if (/[^\S\ufeff]/.test(email)) return 'space_in_address';
  return INVISIBLE.test(email) ? 'hidden_in_address' : 'bad_address';
}

/** Reads one address, also with what people paste around it. */
export function readEmail(text: string): EmailAddress | null {
  const email = unwrap(text);
  if (INVISIBLE.test(email)) return null;
  const folded = foldWidth(email);
  const at = folded.lastIndexOf('@');
  const localPart = foldCase(folded.slice(0, Math.max(at, 0)));
  const domain = foldDomain(folded.slice(at + 1));
  const identity = `${localPart}@${domain}`;
  const isAddress =
    LOCAL_PART.test(localPart) &&
    DOMAIN.test(domain) &&
    Buffer.byteLength(localPart) <= LONGEST_LOCAL_PART &&
    Buffer.byteLength(identity) <= LONGEST_ADDRESS;
  return isAddress ? { email, identity } : null;
}

export function deliverableAddress(email: string): string {
  const folded = foldWidth(email);
  const at = folded.lastIndexOf('@');
  return `${folded.slice(0, at).normalize('NFC')}@${foldDomain(folded.slice(at + 1))}`;
}

/** RFC 5321 counts octets. */
const LONGEST_LOCAL_PART = 64;
const LONGEST_ADDRESS = 254;

/** Characters that are not drawn: two addresses that look alike would be two members. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** Neither begins nor ends an address: blanks, quotes, brackets, and marks of a sentence. */
const BEFORE = /^[[^\p{L}\p{M}\p{N}!#$%\&'*+\/=?^_`\{\|\}~@.\-]\p{DI}]+/v;
const AFTER = /(?<![[^\p{L}\p{M}\p{N}]\p{DI}])[[^\p{L}\p{M}\p{N}]\p{DI}]+$/v;

/** Longer texts stay: with what is around it, no address has so many characters. */
const LONGEST_TEXT = 1024;

function unwrap(text: string): string {
  if (text.length > LONGEST_TEXT) return text;
  const shown = text.replace(PUNYCODE, showSigns);
  const [tail = ''] = AFTER.exec(shown) ?? [];
  const begun = shown.slice(0, shown.length - tail.length).replace(BEFORE, '');
  const around = tail.replaceAll('}', '{}');
  const bare = begun
    // A quote or star may begin an address, but not if it stands behind it, too.
    .slice(begun.split('').findIndex((char) => !around.includes(char)))
    .replace(/^mailto:(?:\/\/)?([^?]*).*$/is, (_link, to) => decodeLink(to))
    .replace(LABEL_BEFORE, '')
    .replace(COMMENT_AFTER, '')
    // In "Ada <ada@example.com>" the address is in the brackets.
    .replace(/^(?:(?!mailto:)[^<＜])*[<＜](?=[^<＜]*$)/i, '')
    .replace(/^(?:(?!mailto:)[^([])*[([](?=[^([]*$)/i, '');
  return bare === text ? bare : unwrap(bare);
}

/** "Email:", or the mark of an item in a list. */
const LABEL_BEFORE = /^(?:[^@:]*(?<!mailto):|[^\p{L}\p{N}@]+|\d+[.\)])\s+/iv;
/** RFC 5322's "ada@example.com (Ada)". */
const COMMENT_AFTER = /\s[([<][^@]*$/;
/** Takes escapes as a browser does: a wrong one stays. */
function decodeLink(text: string): string {
  return new URLSearchParams(`=${text.replace(/[+&]/g, encodeURIComponent)}`).get('') ?? '';
}

const PUNYCODE = /(?<=@(?:[^@\s]*\.)?)xn--[a-z0-9-]+/gi;

/** Browsers encode a pasted "com”" as a label, but IDNA 2008 allows no such sign in a domain. */
function showSigns(label: string): string {
  const shown = domainToUnicode(label);
  return /[^\p{L}\p{M}\p{N}\-]/v.test(shown) ? shown : label;
}

/** HTML5's characters and letters of any script, no dot at an end or beside another. */
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const LOCAL_PART = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'u');

/** HTML5's labels, at least two; the last one is no number, which would be an IP address. */
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?![0-9]+$)${LABEL}$`);

/** What input methods of East Asia type for ASCII: U+FF01 to U+FF5E stand in ASCII's order. */
function foldWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (wide) =>
    String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
  );
}

function foldCase(localPart: string): string {
  // Greek has two small sigmas for one capital; lower-casing picks by the letter after it.
  return localPart.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** IDNA (UTS 46) lower-cases, composes and folds by itself; empty for what is no domain. */
function foldDomain(domain: string): string {
  // The URL parser behind it would decode %61, and read 0x7f.1 as an address.
  return /^[\p{L}\p{M}\p{N}.。．｡·・-]+$/u.test(domain) ? domainToASCII(domain) : '';
}

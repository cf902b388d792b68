/** In which encoding a file is, and its text. */
import { Problem } from '../problem.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

type Bytes = AsyncIterable<Uint8Array>;

/** Enough to see where the zeros of UTF-16 stand. */
const BEGIN_BYTES = 4096;
/** A share of zeros in every second byte that no other encoding has. */
const ZEROS_OF_UTF16 = 0.4;
/** What Windows-1252 does not use. */
const UNUSED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** Controls of a text: tab, line ends, form feed. */
const CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d]);
/** Every workbook is a ZIP archive. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];

/**
 * Told by the byte order mark, by the zeros of UTF-16, or by being UTF-8 to the last byte;
 * otherwise Windows-1252. Throws Problem invalid_field for anything else.
 */
export async function detectEncoding(open: () => Bytes): Promise<Encoding> {
  const begin = await readBegin(open());
  if (ZIP.every((byte, index) => begin[index] === byte))
    throw new Problem(
      'invalid_field',
      'This is a workbook or an archive. Save the list as CSV, and import that file.',
    );
  const marked = readMark(begin) ?? readZeros(begin);
  if (marked !== null) {
    if (await isDecodable(open(), marked)) return marked;
    throw new Problem('invalid_field', `The file begins as ${marked}, and is not to its end.`);
  }
  if (await isDecodable(open(), 'utf-8')) return 'utf-8';
  for await (const bytes of open())
    if (bytes.some((byte) => UNUSED.has(byte) || (byte < 0x20 && !CONTROLS.has(byte))))
      throw new Problem(
        'invalid_field',
        'The text is neither UTF-8, UTF-16 nor Windows-1252. Save the list as CSV in UTF-8.',
      );
  return 'windows-1252';
}

/** The text, with every line end as one "\n". Throws TypeError for bytes of another encoding. */
export async function* decodeLines(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let held = '';
  for await (const chunk of bytes) {
    const text = held + decoder.decode(chunk, { stream: true });
    // The other half of a CRLF may be in the next chunk.
    held = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - held.length).replaceAll(/\r\n?/g, '\n');
  }
  yield (held + decoder.decode()).replaceAll(/\r\n?/g, '\n');
}

async function readBegin(bytes: Bytes): Promise<Uint8Array> {
  let begin = Buffer.alloc(0);
  for await (const chunk of bytes) {
    begin = Buffer.concat([begin, chunk.subarray(0, BEGIN_BYTES)]);
    if (begin.length >= BEGIN_BYTES) break;
  }
  return begin.subarray(0, BEGIN_BYTES);
}

function readMark([first, second, third]: Uint8Array): Encoding | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return null;
}

/** Separators and ASCII have a zero beside each character. */
function readZeros(begin: Uint8Array): Encoding | null {
  const share = (offset: number) => {
    const half = begin.filter((_byte, index) => index % 2 === offset);
    return half.length === 0 ? 0 : half.filter((byte) => byte === 0).length / half.length;
  };
  if (share(1) > ZEROS_OF_UTF16 && share(0) < ZEROS_OF_UTF16) return 'utf-16le';
  if (share(0) > ZEROS_OF_UTF16 && share(1) < ZEROS_OF_UTF16) return 'utf-16be';
  return null;
}

async function isDecodable(bytes: Bytes, encoding: Encoding): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of bytes) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    // Only of the decoder: the bytes themselves may not be readable right now.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

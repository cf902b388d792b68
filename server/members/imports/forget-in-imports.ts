/** Lists that are being imported have addresses of people who are in line, too. */
import type { Database } from '../../db/database.ts';
import { releaseWork } from '../../durable-work/work-store.ts';
import { deliverableAddress } from '../../mail/email-rules.ts';
import { type Erased, readErased } from '../links/store.ts';
import {
  blotChunks,
  blotLines,
  findImport,
  readChunks,
  readImports,
  updateImport,
} from './import-store.ts';

const CARRIED_BYTES = 1_024;
/** What shows where an address begins or ends: two characters of UTF-16. */
const MARGIN_BYTES = 4;
/** The upper half of Mac Roman. */
const MAC_SIGNS = new TextDecoder('macintosh').decode(
  Uint8Array.from({ length: 128 }, (_, at) => 0x80 + at),
);

/** Call it before the erasure: an import that goes on would bring the member back. */
export async function forgetInImports(database: Database, memberId: string): Promise<void> {
  const erased = await readErased(database, memberId);
  if (erased === null) return;
  const wording = wordingOf(erased, (word) => [word]);
  const blot = (text: string) => text.replaceAll(new RegExp(wording.pattern, 'gi'), '…');
  for (const { id } of await readImports(database)) {
    if (!(await blotFile(database, id, erased))) continue;
    // What goes on with the file as it was is no longer stored.
    await releaseWork(database, id);
    const list = await findImport(database.kysely, id);
    const file = JSON.parse(blot(JSON.stringify(list?.file ?? null)));
    await updateImport(database.kysely, id, { file });
    await blotLines(database, id, wording);
  }
}

/** Returns whether the file had any of it. */
async function blotFile(database: Database, importId: string, erased: Erased): Promise<boolean> {
  const { words, pattern } = wordingOf(erased, (word) => {
    const wide = Buffer.from(word, 'utf16le');
    const ofMac = word.replaceAll(/[^\0-\x7f]/g, (sign) => {
      const at = MAC_SIGNS.indexOf(sign);
      return at < 0 ? sign : String.fromCharCode(0x80 + at);
    });
    const narrow = [Buffer.from(word, 'latin1'), Buffer.from(ofMac, 'latin1'), Buffer.from(word)];
    return [...narrow, wide, Buffer.from(wide).swap16()].map((bytes) => bytes.toString('latin1'));
  });
  let [text, begin, isBlotted] = ['', 0, false];
  const blot = async (end: number) => {
    const lower = text.toLowerCase();
    if (!words.some((word) => lower.includes(word))) return;
    for (const { 0: found, index } of text.matchAll(new RegExp(pattern, 'gi'))) {
      // The first bytes of a later text were judged before, with what precedes them.
      if (index + found.length > end || (begin > 0 && index < MARGIN_BYTES)) continue;
      const from = begin + index;
      await blotChunks(database, { importId, from, to: from + found.length });
      isBlotted = true;
    }
  };
  for await (const bytes of readChunks(database, importId)) {
    text += Buffer.from(bytes).toString('latin1');
    await blot(text.length - MARGIN_BYTES);
    begin += Math.max(0, text.length - CARRIED_BYTES);
    text = text.slice(-CARRIED_BYTES);
  }
  await blot(text.length);
  return isBlotted;
}

/** The pattern finds the words, but not within a longer address. PostgreSQL reads it, too. */
function wordingOf(
  { id, email, email_identity, referral_code }: Erased,
  spell: (word: string) => readonly string[],
) {
  const plain = [id, email, email_identity, deliverableAddress(email), referral_code];
  const words = [...new Set(plain.flatMap(spell).map((word) => word.toLowerCase()))];
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const any = words.map((word) => word.replaceAll(/\W/g, escaped)).join('|');
  const before = '(?<![\\w.%+-]\\0?)';
  const after = '(?!\\0?(?:[\\w-]|\\.\\0?\\w))';
  /** Text with none of the words, in lower case, need not be searched for the pattern. */
  return { words, pattern: `${before}(?:${any})${after}` };
}

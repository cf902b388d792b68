/** Exit code 1 if the draw is not as it was announced, 2 if it cannot be verified. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ticketOf } from '../../contract/drop/draw-hash-rules.ts';
import type { DrawRecord } from '../../contract/drop/draw-record.ts';
import { PROOFS, verifyDraw } from '../../contract/drop/verify-draw-rules.ts';
import { weightWords } from '../../contract/drop/weight-rules.ts';
import { refuse } from '../command-line/read-options.ts';

const USAGE = 'npm run verify-draw -- <url or file> [<noted hash>] [--member <id>]';

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { member: { type: 'string' } },
  });
  const [source, noted = null] = positionals;
  if (source === undefined) throw new Error(USAGE);
  const record = await readRecord(source);
  const { problems, comparedWith, listHash, announcementHash, order } = verifyDraw(record, noted);
  const chosen = order?.filter(({ size }) => size !== null).length;
  const { entered } = record;
  console.log(`Drop ${record.number}: ${record.entrants.length} entrants, list ${listHash}`);
  console.log(
    announcementHash === null ? 'The draw is not announced yet.' : `Announced: ${announcementHash}`,
  );
  if (entered) console.log(`${entered.length} entrants entered by card, and take part.`);
  if (chosen !== undefined) console.log(`${chosen} entrants are chosen.`);
  if (values.member !== undefined) console.log(describeMember(record, order, values.member));
  for (const problem of problems) console.error(problem);
  const proof = `Everything fits. ${PROOFS[comparedWith]}`;
  console.log(problems.length === 0 ? proof : 'This draw is NOT as it was announced.');
  if (problems.length > 0) process.exitCode = 1;
}

async function readRecord(source: string): Promise<DrawRecord> {
  const text = /^https?:/.test(source) ? await fetchText(source) : await readFile(source, 'utf8');
  const record = JSON.parse(text);
  if (!Array.isArray(record.entrants)) throw new Error(`${source} is no record of a draw.`);
  return record;
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return await response.text();
}

function describeMember(
  { salt, entrants }: DrawRecord,
  order: ReturnType<typeof verifyDraw>['order'],
  memberId: string,
): string {
  const ticket = ticketOf(salt, memberId.toLowerCase());
  const entrant = entrants.find((candidate) => candidate.ticket === ticket);
  if (entrant === undefined) return `The ticket ${ticket} is not on the list.`;
  const place = order?.findIndex(({ position }) => position === entrant.position) ?? -1;
  const size = order?.[place]?.size;
  return (
    `Ticket ${ticket}: position ${entrant.position}` +
    (entrant.weight === undefined ? '' : `, ${weightWords(entrant.weight)}`) +
    (place === -1 ? '.' : `, place ${place + 1} of the draw, ${size ?? 'not chosen'}.`)
  );
}

await main().catch((error: Error) => refuse(error.message));

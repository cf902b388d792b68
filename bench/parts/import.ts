/** Joins while an owner uploads, checks and deletes the largest list, then files as large. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MAX_IMPORT_ROWS } from '../../contract/operator/imports/list-import.ts';
import { OperatorError } from '../../scripts/operator/call-operator.ts';
import { checkImport, deleteImport, upload } from '../../scripts/operator/imports.ts';
import { measureSteps, stepTable } from '../load/operator-steps.ts';
import { definePart } from '../part.ts';
import type { Engine } from '../places.ts';

const OPTIONS = { members: 10_000, rows: MAX_IMPORT_ROWS };
const JOINS_PER_SECOND = 20;
const LARGEST_BYTES = 64 * 1024 * 1024;
/** Long enough for the upkeep that deletion makes due. */
const ALONE_MS = 30_000;
const MAPPING = {
  columns: { email: 0, referrer: 1, referral_code: 2 },
  order: 'file',
} as const;
const ODD_FILES = { 'rows of "a"': 'a\n', 'one line': 'a', newlines: '\n' };

export const importPart = (engine: Engine) =>
  definePart({
    name: `import-${engine}`,
    writes: 'IMPORT.md',
    options: OPTIONS,
    async measure({ options: { members, rows }, newPlace, log }) {
      const place = await newPlace(engine);
      const config = { dataDir: place.dataDir, operatorToken: null };
      const file = join(place.dataDir, 'list.csv');
      const uploadAll = async (bytes: Buffer) => {
        writeFileSync(file, bytes);
        return (await upload({ config, words: [file] })).id;
      };
      const setting = { place, members, joinsPerSecond: JOINS_PER_SECOND, log };
      return await measureSteps(setting, async (_, beside) => {
        await beside('nothing', () => pause(ALONE_MS));
        let id = '';
        await beside('upload', async () => {
          id = await uploadAll(largestList(rows));
        });
        await beside('check', () => checkImport(config, id, MAPPING));
        await beside('deletion', () => deleteImport(config, id));
        await beside('what follows', () => pause(ALONE_MS));
        for (const [name, text] of Object.entries(ODD_FILES))
          await beside(name, () => orRefusal(uploadAll(Buffer.alloc(LARGEST_BYTES, text))));
        await beside('newlines between two rows, and their check', async () => {
          const odd = await uploadAll(twoRowsApart());
          await orRefusal(checkImport(config, odd, MAPPING));
        });
      });
    },
    describe: (steps) => `## ${engine}\n\n${stepTable(steps)}`,
  });

/** The server may refuse the file: the joins beside it are what is measured. */
async function orRefusal(work: Promise<unknown>): Promise<void> {
  await work.catch((error) => {
    if (!(error instanceof OperatorError)) throw error;
  });
}

function largestList(rows: number): Buffer {
  const width = Math.floor(LARGEST_BYTES / rows) - 1;
  const lines = Array.from({ length: rows - 1 }, (_, row) => {
    const referrer = row % 2 === 0 ? '' : `r${row >> 1}@list.example`;
    return `r${row}@list.example,${referrer},C${String(row).padStart(9, '0')},`.padEnd(width, 'x');
  });
  return Buffer.from(['email,referrer,code,note', ...lines].join('\n'));
}

function twoRowsApart(): Buffer {
  const file = Buffer.alloc(LARGEST_BYTES, '\n');
  file.write('email,referrer,code\na@list.example,,');
  file.write('b@list.example,,', LARGEST_BYTES - 16);
  return file;
}

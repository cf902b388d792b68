/** Two servers of one line would mail and sell everything twice (decision 0154). */
import { statSync } from 'node:fs';
import { sql } from 'kysely';
import type { Database, Reader } from './database.ts';
import { embeddedFolder } from './embedded/create-embedded.ts';
import { first, run } from './rows.ts';
import type { ScheduledWork } from './scheduled-work.ts';

type Cause = 'restored' | 'moved';
export type PossibleCopy = { readonly cause: Cause; readonly since: Date };

const WHY: Readonly<Record<Cause, string>> = {
  restored: 'This line was restored from a backup',
  moved: 'This line is in another place and under another address than before',
};

export function readCopy({ kysely }: Reader) {
  return first<PossibleCopy>(kysely)`
    select copy_cause as cause, copy_since as since from line_home where copy_since is not null
  `;
}

/** Whether the line may act on the world. Each kind of act is withheld at one place. */
export async function mayAct(reader: Reader): Promise<boolean> {
  return (await readCopy(reader)) === null;
}

/** Null when the line may act. */
export async function explainCopy(reader: Reader): Promise<string | null> {
  const copy = await readCopy(reader);
  if (copy === null) return null;
  return (
    `${WHY[copy.cause]}, so it may be a copy: its mail, webhooks, offers, scheduled steps and ` +
    'till wait until an owner says that it is the line (./waitlist this-is-the-line). Visitors ' +
    'can still join.'
  );
}

export function withhold(work: ScheduledWork, reader: Reader): ScheduledWork {
  if (!work.acts) return work;
  return {
    ...work,
    async run() {
      if (await mayAct(reader)) await work.run();
    },
  };
}

export function markCopy({ kysely }: Reader, cause: Cause) {
  return run(kysely)`select mark_copy(${cause}, clock_timestamp())`;
}

export function forgetCopy({ kysely }: Reader) {
  return run(kysely)`select forget_copy()`;
}

/** Finds a copied database or folder: a line moves, or gets another address, but not at once. */
export async function noteHome(
  database: Database,
  { dataDir, publicUrl }: { readonly dataDir: string; readonly publicUrl: string },
): Promise<void> {
  const place = await readPlace(database, dataDir);
  await run(database.kysely)`
    select mark_copy('moved', clock_timestamp()) from line_home
    where place <> ${place} and public_url <> ${publicUrl}
  `;
  await run(database.kysely)`
    update line_home set place = coalesce(${place}, place), public_url = ${publicUrl}
  `;
}

/** The same after a failover. Null where the host of a database hides it. */
async function readPlace({ engine, kysely }: Database, dataDir: string): Promise<string | null> {
  if (engine === 'embedded') {
    const { dev, ino } = statSync(embeddedFolder(dataDir), { bigint: true });
    return `${dev}:${ino}`;
  }
  const asked = sql<{ place: string }>`
    select concat_ws(':', system_identifier, oid) as place
    from pg_control_system(), pg_database where datname = current_database()
  `.execute(kysely);
  const { rows } = await asked.catch(() => ({ rows: [] }));
  return rows[0]?.place ?? null;
}

/** The past of the demo's line, through the product's own code with the clock set back. */
import { brand } from '../brand/brand.ts';
import { openDatabase } from '../server/db/open.ts';
import { openJoinQueue } from '../server/line/join/join.ts';
import { prepareLine } from '../server/line/prepare-line.ts';
import { moveClock } from '../test/support/moved-clock.ts';
import { drawJoins } from './draw-joins.ts';
import { type Joined, playJoins } from './play-joins.ts';

type PastOptions = {
  readonly dataDir: string;
  readonly members: number;
  readonly seed: string;
};

/** Fills the new line in `dataDir`, which nobody has open. */
export async function playPast({ dataDir, members, seed }: PastOptions): Promise<void> {
  const database = await openDatabase({ dataDir, databaseUrl: null, log: () => {} });
  await prepareLine(database, brand);
  const queue = openJoinQueue({ database, brand });
  const joins = drawJoins(members, seed);
  const joined: Joined[] = [];
  await playJoins(queue, { joins, joined, end: members });
  moveClock(0);
  await queue.close();
  await database.close();
}

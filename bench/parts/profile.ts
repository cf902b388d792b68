/** Where the time of server and database goes at full speed. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Filled, startProduct, thisCheckout, writeSample } from '../checkout.ts';
import { measure } from '../load/closed-loop.ts';
import { type StatementCost, watchStatements } from '../load/statement-watch.ts';
import { table, whole } from '../report/markdown.ts';
import { type Part, TARGET_IN_FLIGHT } from './part.ts';

type Kind = 'status' | 'join';

export type ProfileFigures = {
  readonly engine: string;
  readonly members: number;
  readonly profiles: readonly {
    readonly kind: Kind;
    readonly answers: number;
    /** During these answers. */
    readonly statements: readonly StatementCost[];
  }[];
};

const SECONDS = 5;
const SHOWN = 10;
const SHOWN_CHARACTERS = 90;

export const profilePart: Part<ProfileFigures> = {
  name: 'profile',
  async measure(bench) {
    const { members, cache } = bench.options;
    const postgres = await bench.postgres();
    const sized = await postgres.copyOf(thisCheckout, members);
    const sampleFile = await writeSample(thisCheckout, sized);
    const folder = join(cache, 'profiles');
    rmSync(folder, { recursive: true, force: true });
    const profiles = [];
    for (const kind of ['status', 'join'] as const) {
      const NODE_OPTIONS = `--cpu-prof --cpu-prof-dir=${join(folder, kind)}`;
      await runServer(sized, { kind, sampleFile, settings: { NODE_OPTIONS } });
      profiles.push({ kind, ...(await countStatements(sized, kind, sampleFile)) });
    }
    await postgres.drop(sized);
    return { engine: postgres.description, members, profiles };
  },
  report({ engine, members, profiles }) {
    const each = profiles.map(({ kind, statements, answers }) => {
      const costs = statements.map(({ text, calls, ms }) => [
        `\`${text.slice(0, SHOWN_CHARACTERS).replaceAll('|', '\\|')}\``,
        (calls / answers).toFixed(3),
        ((ms * 1000) / answers).toFixed(1),
      ]);
      return `**${kind}**

${table(['statement', 'runs an answer', 'µs an answer'], costs)}`;
    });
    return `## Where the time goes

${engine}, ${whole(members)} members, ${TARGET_IN_FLIGHT} in flight. Statements as
\`pg_stat_statements\` counts them, those in functions and triggers too: the time of a statement
includes all that it runs and its waiting.

V8's profiles of the server, from a run of their own, are in .cache/bench/profiles/, one file a
thread (the largest is the main one). To see the flame graph, drop a file onto
[speedscope](https://www.speedscope.app), or load it in the Performance panel of Chromium's
developer tools, which needs no network.

${each.join('\n\n')}`;
  },
};

type Run = {
  readonly kind: Kind;
  readonly sampleFile: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when the server is open. */
  readonly onOpen?: () => Promise<void>;
};

async function runServer(place: Filled, { kind, sampleFile, settings, onOpen }: Run) {
  const server = await startProduct(thisCheckout, place, settings);
  await onOpen?.();
  const load = { kind, inFlight: TARGET_IN_FLIGHT, warmUpSeconds: 0, seconds: SECONDS } as const;
  const measured = await measure({ ...server, sampleFile }, load);
  await server.stop();
  return measured;
}

/** Apart from the server's profile: each watch costs time. */
async function countStatements(place: Filled, kind: Kind, sampleFile: string) {
  const watch = await watchStatements(place.databaseUrl ?? '');
  const { perSecond } = await runServer(place, { kind, sampleFile, onOpen: watch.reset });
  const statements = await watch.read(SHOWN, 'ms');
  await watch.close();
  return { answers: perSecond * SECONDS, statements };
}

/**
 * `npm run demo`: a made-up line in a temporary folder, on a server of its own, with the console
 * open. Ctrl-C ends it and removes the folder. `--members 5000 --seed afterglow`.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite, DIST } from '../scripts/build.ts';
import { freePort, setOwnSettings, startOwnServer } from '../scripts/own-server.ts';
import { playPast } from './play-past.ts';

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '5000' },
    seed: { type: 'string', default: 'afterglow' },
  },
});

await buildSite({ outDir: DIST });
const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-demo-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const end = () => process.exit(1);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);

const wantedPort = Number(process.env.PORT || 3000);
const settings = {
  DATA_DIR: dataDir,
  PORT: String(await freePort(wantedPort)),
  OPERATOR_TOKEN: randomBytes(32).toString('hex'),
};
setOwnSettings(settings);
console.log(`Making a line of ${Number(values.members).toLocaleString('en')} members ...`);
await playPast({ dataDir, members: Number(values.members), seed: values.seed });
// From here on the server shuts down gracefully by itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
await startOwnServer(settings);

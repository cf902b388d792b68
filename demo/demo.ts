import { buffer } from 'node:stream/consumers';
import { operatorPaths } from '../contract/operator/paths.ts';
import { readOptions, refuse } from '../scripts/command-line/read-options.ts';
import { openOperatorCall } from '../scripts/operator/call-operator.ts';
import { announceDemo } from '../scripts/operator/running-demo.ts';
import { openBrowser, openEntrance } from './entrance.ts';
import { serveDemo } from './serve-demo.ts';
import { OWNER } from './stage.ts';

const values = readOptions('npm run demo: a made-up line in a temporary folder.', {
  members: ['5000', 'How many are in line.'],
  seed: ['afterglow', 'Another word makes up another line.'],
  browser: [true, 'Opens no browser.'],
});
const members = Number(values.members);
if (!/^[1-9]\d{2,}$/.test(values.members)) refuse('--members must be a whole number from 100.');

const startedAt = performance.now();
const { server, makeLink } = await serveDemo({ members, seed: values.seed });
await buffer(await openOperatorCall(server, operatorPaths.backup));
announceDemo({ dataDir: server.dataDir, owner: OWNER.email });
const link = await openEntrance(makeLink);
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(`
The demo is ready after ${seconds} s. Its mail goes nowhere. The console, as its owner, as often as
you like:
  ${link}`);
if (values.browser)
  console.log(
    (await openBrowser(link))
      ? 'It opens in your browser.'
      : 'No browser could be opened from here: open the address yourself.',
  );
console.log('Ctrl-C ends the demo and removes its data.');

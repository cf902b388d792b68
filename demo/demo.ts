import './skip-disk.ts';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignInLink } from '../contract/operator/access.ts';
import { operatorPaths } from '../contract/operator/paths.ts';
import { apiPaths } from '../contract/paths.ts';
import { buildSite, DIST } from '../scripts/build.ts';
import { readOptions, refuse } from '../scripts/command-line/read-options.ts';
import { callOperator, openOperatorCall } from '../scripts/operator/call-operator.ts';
import { announceDemo } from '../scripts/operator/running-demo.ts';
import { freePort, setOwnSettings, startOwnServer } from '../scripts/own-server.ts';
import { loadOperatorToken } from '../server/access/operator-token.ts';
import { readSiteDir } from '../server/config.ts';
import { type Mailbox, startMailbox } from '../test/support/smtp-mailbox.ts';
import { startReceiver } from '../test/support/webhook-receiver.ts';
import { DEAD_DOMAIN, SLOW_DOMAIN } from './draw/draw-joins.ts';
import { playPast } from './play-past.ts';
import { OWNER } from './stage.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

const LOOK_MS = 500;
const ANSWERS: readonly (string | null)[] = [
  ...Array<string>(6).fill(apiPaths.acceptOffer),
  apiPaths.declineOffer,
  ...Array<null>(3).fill(null),
];

/** Mails per second: slow enough to watch a campaign. */
const MAIL_RATE = 2;

const values = readOptions('npm run demo: a made-up line in a temporary folder.', {
  members: ['5000', 'How many are in line.'],
  seed: ['afterglow', 'Another word makes up another line.'],
  browser: [true, 'Opens no browser.'],
});
const members = Number(values.members);
if (!/^[1-9]\d{2,}$/.test(values.members)) refuse('--members must be a whole number from 100.');

if (process.env.SITE_DIR === undefined) await buildSite({ outDir: DIST });
const startedAt = performance.now();
const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-demo-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const end = () => process.exit(1);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);

const mailbox = await startMailbox({
  react(moment, address) {
    if (moment !== 'recipient') return undefined;
    if (address.endsWith(`@${SLOW_DOMAIN}`)) return 451;
    return address.endsWith(`@${DEAD_DOMAIN}`) ? '550 5.1.1 Unknown mailbox' : undefined;
  },
});
const newsletter = await startReceiver();
const shop = await startReceiver();
shop.answer = (response) => void response.writeHead(503).end('down for maintenance');
const settings = {
  DATA_DIR: dataDir,
  PORT: String(await freePort(Number(process.env.PORT || 3000))),
  OPERATOR_TOKEN: await loadOperatorToken({ dataDir, operatorToken: null }),
  SMTP_URL: mailbox.url,
  MAIL_RATE: String(MAIL_RATE),
  WEBHOOK_NETWORKS: '127.0.0.1',
  LOG_LEVEL: 'error',
};
setOwnSettings(settings);
console.log(`Making a line of ${members.toLocaleString('en')} members ...`);
await playPast({
  siteDir: readSiteDir(),
  members,
  seed: values.seed,
  receivers: {
    newsletter: new URL('/newsletter', newsletter.url).href,
    shop: new URL('/shop', shop.url).href,
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
const url = await startOwnServer(settings);
answerOffers(mailbox, url);

const server = { dataDir, operatorToken: settings.OPERATOR_TOKEN };
await (await openOperatorCall(server, operatorPaths.backup)).arrayBuffer();
announceDemo({ dataDir, owner: OWNER.email });
const link = await openEntrance();
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

/** An address that leads to a new link each time: a link itself works once. */
async function openEntrance(): Promise<string> {
  const path = `/${randomBytes(16).toString('base64url')}`;
  const entrance = createServer(async (request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    const body = { email: OWNER.email };
    const made = callOperator<SignInLink>(server, operatorPaths.signInLinks, { body });
    const { link } = await made.catch(() => ({ link: url })); // The demo is being ended.
    response.writeHead(302, { location: link, 'cache-control': 'no-store' }).end();
  }).listen(0, '127.0.0.1');
  await once(entrance, 'listening');
  entrance.unref();
  return `http://127.0.0.1:${(entrance.address() as AddressInfo).port}${path}`;
}

async function openBrowser(url: string): Promise<boolean> {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const hasDesktop = process.platform in OPENERS || Boolean(DISPLAY || WAYLAND_DISPLAY);
  if (!hasDesktop) return false;
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  const opening = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  opening.unref();
  try {
    await once(opening, 'spawn');
    return true;
  } catch {
    return false;
  }
}

function answerOffers(mailbox: Pick<Mailbox, 'mails'>, url: string): void {
  let looked = 0;
  let offers = 0;
  setInterval(() => {
    for (const { raw } of mailbox.mails.slice(looked)) {
      looked += 1;
      const [, token] = /#offer=3D([\w-]+)/.exec(raw.replaceAll('=\r\n', '')) ?? [];
      if (token === undefined) continue;
      const path = ANSWERS[(offers * 7) % ANSWERS.length];
      offers += 1;
      if (!path) continue;
      void fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      }).catch(() => undefined); // The demo is being ended.
    }
  }, LOOK_MS).unref();
}

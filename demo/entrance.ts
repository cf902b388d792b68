import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** An address that leads to a new link to the console each time: a link itself works once. */
export async function openEntrance(makeLink: () => Promise<string>): Promise<string> {
  const path = `/${randomBytes(16).toString('base64url')}`;
  const entrance = createServer(async (request, response) => {
    if (request.url !== path) return void response.writeHead(404).end();
    const location = await makeLink();
    response.writeHead(302, { location, 'cache-control': 'no-store' }).end();
  }).listen(0, '127.0.0.1');
  await once(entrance, 'listening');
  entrance.unref();
  return `http://127.0.0.1:${(entrance.address() as AddressInfo).port}${path}`;
}

export async function openBrowser(url: string): Promise<boolean> {
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

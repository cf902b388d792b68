import { spawn } from 'node:child_process';
import { once } from 'node:events';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens the address in the browser of this desktop. False when there is none. */
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

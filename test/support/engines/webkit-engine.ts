/** WebKitGTK's own browser, by its WebDriver, on a screen in memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Builder, By, Key, type WebDriver } from 'selenium-webdriver';
import type { WebKitPrograms } from '../../../scripts/other-engines.ts';
import { freePort } from '../server-process.ts';
import type { EngineOptions, EnginePage } from './engine-page.ts';
import { startDisplay } from './memory-display.ts';

/** The tool bar would keep the window from being as narrow as a phone. */
const NO_TOOL_BAR =
  '* { min-width: 0; min-height: 0; padding: 0; margin: 0; border: 0; font-size: 1px }';
const START_MS = 15_000;
const SESSION_MS = 60_000;
/** Its driver sometimes never hears of the browser that it started. */
const MOST_STARTS = 3;

export async function launchWebKit(
  programs: WebKitPrograms,
  options: EngineOptions,
): Promise<EnginePage> {
  for (let start = 1; ; start += 1)
    try {
      return await startWebKit(programs, options);
    } catch (error) {
      if (start === MOST_STARTS) throw error;
    }
}

async function startWebKit(
  programs: WebKitPrograms,
  { isMoving = false }: EngineOptions,
): Promise<EnginePage> {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-webkit-'));
  writeGtkSettings(folder, isMoving);
  const display = await startDisplay(programs.display, folder);
  const port = await freePort();
  const driver = spawn(programs.driver, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display.name, XDG_CONFIG_HOME: folder, HOME: folder },
    stdio: 'ignore',
  });
  const end = async () => {
    await Promise.all([endProcess(driver), endProcess(display.child)]);
    rmSync(folder, { recursive: true, force: true });
  };
  const browser = await openSession(port, programs.browser).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const capabilities = await browser.getCapabilities();
  return {
    name: 'WebKit',
    version: capabilities.getBrowserVersion() ?? '',
    open: (url) => browser.get(url),
    async resize({ width, height }) {
      const bar = await barHeight(browser);
      await browser
        .manage()
        .window()
        .setRect({ width, height: height + bar, x: 0, y: 0 });
    },
    async evaluate(run, ...given) {
      const script =
        'const end = arguments[arguments.length - 1];' +
        `Promise.resolve((${run}).apply(null, [...arguments].slice(0, -1)))` +
        '.then((value) => end({ value }), (error) => end({ error: String(error) }))';
      const outcome = await browser.executeAsyncScript<{ value: never; error?: string }>(
        script,
        ...given,
      );
      if (outcome.error !== undefined) throw new Error(`In WebKit: ${outcome.error}`);
      return outcome.value;
    },
    async click(selector) {
      const element = browser.findElement(By.css(selector));
      // The driver scrolls to an edge, where a bar of the page may lie over the element.
      await browser.executeScript('arguments[0].scrollIntoView({ block: "center" })', element);
      await element.click();
    },
    type: (selector, text) => browser.findElement(By.css(selector)).sendKeys(text),
    pressTab: () => browser.actions().sendKeys(Key.TAB).perform(),
    // The driver's own screenshot is painted anew, without the compositing that visitors see.
    async screenshot() {
      const [width = 0, height = 0] = await browser.executeScript<number[]>(
        'return [innerWidth, innerHeight]',
      );
      return await display.shoot({ left: 0, top: await barHeight(browser), width, height });
    },
    async close() {
      await browser.quit();
      await end();
    },
  };
}

/** Height of the tool bar, above the page. */
async function barHeight(browser: WebDriver): Promise<number> {
  return await browser.executeScript<number>('return outerHeight - innerHeight');
}

async function openSession(port: number, binary: string): Promise<WebDriver> {
  await waitForPort(port);
  const late = delay(SESSION_MS, undefined, { ref: false }).then(() => {
    throw new Error(`WebKit did not open within ${SESSION_MS / 1000} s.`);
  });
  const session = new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    })
    .build();
  await Promise.race([session.getSession(), late]);
  return session;
}

/** GTK tells the page whether the visitor wants motion. */
function writeGtkSettings(folder: string, isMoving: boolean): void {
  const gtk = join(folder, 'gtk-3.0');
  mkdirSync(gtk);
  writeFileSync(join(gtk, 'gtk.css'), NO_TOOL_BAR);
  writeFileSync(
    join(gtk, 'settings.ini'),
    `[Settings]\ngtk-enable-animations=${isMoving ? 1 : 0}\n`,
  );
}

async function waitForPort(port: number): Promise<void> {
  const endsAt = Date.now() + START_MS;
  for (;;) {
    const signal = AbortSignal.timeout(START_MS);
    const status = await fetch(`http://127.0.0.1:${port}/status`, { signal }).catch(() => null);
    if (status?.ok) return;
    if (Date.now() > endsAt) throw new Error("WebKit's driver did not start.");
    await delay(50);
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

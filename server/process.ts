import { flushCompileCache } from 'node:module';
import { loadConfig, readPassedSocket, readSiteDir } from './config.ts';
import { explainFault } from './http/request-log.ts';
import { openServer } from './open-server.ts';
import { StartupError } from './startup-error.ts';
import { openLog, openTerminal } from './terminal.ts';

const SHUTDOWN_TIMEOUT_MS = 10_000;
const terminal = openTerminal();

async function main(): Promise<void> {
  const config = loadConfig();
  const server = await openServer({
    config,
    siteDir: readSiteDir(),
    passedSocket: readPassedSocket(),
    log: openLog(config),
    terminal,
  });
  shutDownOnSignal(server.close);
  await server.listen();
  // Node writes its compile cache at exit, which a killed server never reaches (decision 0007).
  flushCompileCache();
}

function shutDownOnSignal(shutDown: () => Promise<void>): void {
  let isShuttingDown = false;
  async function onSignal(): Promise<void> {
    if (isShuttingDown) return;
    isShuttingDown = true;
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref();
    await shutDown();
    process.exit(0);
  }
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

try {
  await main();
} catch (error) {
  terminal.fatal(error instanceof StartupError ? error.message : explainFault(error));
  process.exit(1);
}

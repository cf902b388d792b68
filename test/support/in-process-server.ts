import { readConfig, readSiteDir } from '../../server/config.ts';
import { openServer } from '../../server/open-server.ts';
import { openLog } from '../../server/terminal.ts';
import { freePort, type ServerProcess } from './server-process.ts';

export type ServedSite = Pick<ServerProcess, 'url' | 'output' | 'stop'>;

/**
 * Starts a server as `startServer` does, in the process of the test: a process of its own costs two
 * seconds of a processor. It takes no signals, and reads no setting that is not given here.
 */
export async function serveInProcess(
  settings: Readonly<Record<string, string>>,
  { isWatched = true }: { readonly isWatched?: boolean } = {},
): Promise<ServedSite> {
  const port = settings.PORT ?? String(await freePort());
  const config = readConfig({ HOST: '127.0.0.1', PORT: port, TRIAL: 'on', ...settings });
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const printLine = (text: string) => print(`${text}\n`);
  const server = await openServer({
    config,
    siteDir: readSiteDir(settings),
    passedSocket: null,
    log: openLog(config, { write: print }),
    terminal: { log: printLine, warn: printLine, isWatched },
  });
  await server.listen();
  let closing: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => printed,
    /** Resolves with the exit code of a process that ends well. */
    async stop() {
      closing ??= server.close();
      await closing;
      return 0;
    },
  };
}

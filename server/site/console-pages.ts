/** The operator's console: one document for all its paths, and its files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { consolePaths } from '../../contract/operator/paths.ts';
import type { HttpServer } from '../http/http-server.ts';
import { Problem } from '../problem.ts';
import { StartupError } from '../startup-error.ts';
import { addAssets } from './pages/assets.ts';
import { fixPage, sendFixedPage } from './pages/send-page.ts';

/** Throws a StartupError when the console is not built. */
export async function addConsolePages(server: HttpServer, siteDir: string): Promise<void> {
  const page = fixPage(await readDocument(siteDir));
  for (const url of [consolePaths.home, `${consolePaths.home}/*`]) {
    server.get(url, { schema: { hide: true } }, async (request, reply) => {
      // Only known paths are files: a missing one must not become a script full of HTML.
      if (request.url.startsWith(consolePaths.assets))
        throw new Problem('unknown_path', 'There is nothing at this path.');
      const policy = String(reply.getHeader('content-security-policy'));
      reply
        .header('cache-control', 'no-store')
        .header('x-robots-tag', 'noindex')
        // The mail that an operator writes is shown in a sandboxed frame.
        .header('content-security-policy', `${policy};frame-src 'self'`);
      return sendFixedPage(request, reply, page);
    });
  }
  await addAssets(server, join(siteDir, 'console'), `${consolePaths.home}/`);
}

async function readDocument(siteDir: string): Promise<string> {
  const path = join(siteDir, 'pages', 'console.html');
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new StartupError(`The console is not built: ${path} cannot be read. Run npm run build.`, {
      cause,
    });
  }
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { consolePaths } from '../../../contract/operator/paths.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { fixPage, sendFixedPage } from '../../http/send-page.ts';
import { Problem } from '../../problem.ts';
import { StartupError } from '../../startup-error.ts';

export const IMMUTABLE = 'public, max-age=31536000, immutable';
const DEVELOPMENT_PAGE = join('dev', 'ui');

export async function addAssets(server: HttpServer, folder: string, prefix = '/'): Promise<void> {
  await server.register(fastifyStatic, {
    root: folder,
    prefix,
    // Each file is a route of its own, so no request path reaches the file system.
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz'],
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // The gallery of a development build, a page without an extension.
      if (path.endsWith(DEVELOPMENT_PAGE)) reply.header('content-type', 'text/html; charset=utf-8');
      const isHashed = path.includes('/assets/') || path.includes('\\assets\\');
      reply.header('cache-control', isHashed ? IMMUTABLE : 'public, no-cache');
    },
  });
}

export async function addConsolePages(server: HttpServer, siteDir: string): Promise<void> {
  const page = fixPage(String(await readBuilt(siteDir, 'pages/console.html', 'console')));
  for (const url of [consolePaths.home, consolePaths.door, `${consolePaths.home}/*`]) {
    server.get(url, { schema: { hide: true } }, async (request, reply) => {
      // Only known paths are files: a missing one must not become a script full of HTML.
      if (request.url.startsWith(consolePaths.assets))
        throw new Problem('unknown_path', 'There is nothing at this path.');
      const policy = String(reply.getHeader('content-security-policy'));
      // The mail that an operator writes is shown in a sandboxed frame.
      reply.header('content-security-policy', `${policy};frame-src 'self'`);
      if (url === consolePaths.door) {
        const features = String(reply.getHeader('permissions-policy'));
        reply.header('permissions-policy', features.replace('camera=()', 'camera=(self)'));
      }
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
      return sendFixedPage(request, reply, page);
    });
  }
  await addAssets(server, join(siteDir, 'console'), `${consolePaths.home}/`);
}

export async function readBuilt(siteDir: string, file: string, part = 'site'): Promise<Buffer> {
  const path = join(siteDir, file);
  return await readFile(path).catch((cause) => {
    throw new StartupError(`The ${part} is not built: ${path} cannot be read. Run npm run build.`, {
      cause,
    });
  });
}

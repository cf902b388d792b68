/** Built files: hashed ones are immutable, others are revalidated. */
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { HttpServer } from '../../http/http-server.ts';

const YEAR_SECONDS = 31_536_000;
const DEVELOPMENT_PAGE = join('dev', 'ui');

/** Serves the files of `folder`, absolute, below `prefix`, which ends with a slash. */
export async function addAssets(server: HttpServer, folder: string, prefix = '/'): Promise<void> {
  await server.register(fastifyStatic, {
    root: folder,
    prefix,
    // One route per file at the start: no request path ever reaches the file system.
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
      reply.header(
        'cache-control',
        isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, no-cache',
      );
    },
  });
}

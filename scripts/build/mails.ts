/** Builds the mails to one module with all it needs: the server runs plain Node, which reads no JSX. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { type BuildSource, ROOT } from './vite-config.ts';

/** The mails import their brand by relative paths, as the site does. */
const BRAND_IMPORT = /^(?:\.\.\/)+brand\//;

/** Writes `render-mail.js` into `outDir`. Throws when the brand's words or tokens have a fault. */
export async function buildMails({
  brandDir,
  outDir,
}: Pick<BuildSource, 'brandDir'> & { outDir: string }): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    resolve: { alias: [{ find: BRAND_IMPORT, replacement: `${brandDir}/` }] },
    // With React inside, always that of production: which one runs must not depend on the environment of the server.
    ssr: { noExternal: true },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      ssr: true,
      minify: true,
      rolldownOptions: { input: `${ROOT}mails/render-mail.tsx`, output: { entryFileNames: '[name].js' } },
    },
  });
  // The module checks its brand when it is loaded; better here than when the server starts.
  await import(`${pathToFileURL(join(outDir, 'render-mail.js')).href}?${Date.now()}`);
}

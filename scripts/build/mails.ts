/** Bundles the mails into one module: the server runs plain Node, which cannot read JSX. */
import { join } from 'node:path';
import { build } from 'vite';
import { StartupError } from '../../server/startup-error.ts';
import { importFresh } from './import-fresh.ts';
import { type BuildSource, ROOT } from './vite-config.ts';

const BRAND_IMPORT = /^(?:\.\.\/)+brand\//;

/** Writes `render-mail.js` into `outDir`. Throws a StartupError when a text is invalid. */
export async function buildMails({
  brandDir,
  outDir,
}: Pick<BuildSource, 'brandDir'> & { outDir: string }): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    resolve: { alias: [{ find: BRAND_IMPORT, replacement: `${brandDir}/` }] },
    ssr: { noExternal: true },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      ssr: true,
      minify: true,
      rolldownOptions: {
        input: `${ROOT}mails/render-mail.tsx`,
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  // The module validates its brand when loaded: fail here, not when the server starts.
  await importFresh(join(outDir, 'render-mail.js')).catch((cause) => {
    throw cause.name === 'BrandFaults' ? new StartupError(cause.message, { cause }) : cause;
  });
}

/** Bundles the mails into one module: the server runs plain Node, which cannot read JSX. */
import { join } from 'node:path';
import { build } from 'vite';
import { StartupError } from '../../server/startup-error.ts';
import { importFresh } from './import-fresh.ts';
import { type BuildTarget, baseConfig, ROOT } from './vite-config.ts';

/** Writes `render-mail.js` into `outDir`. Throws a StartupError when a token is invalid. */
export async function buildMails({
  brandDir,
  outDir,
}: Pick<BuildTarget, 'brandDir' | 'outDir'>): Promise<void> {
  await build({
    ...baseConfig(brandDir),
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
  // The module reads its tokens when loaded: fail here, not when the server starts.
  await importFresh(join(outDir, 'render-mail.js')).catch((cause) => {
    throw new StartupError(cause.message, { cause });
  });
}

/** How the site is bundled: once for the browser, once for the prerender. Both see the same hashed names of assets. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type BuildMode = 'production' | 'development';

/** Icons, web manifest, share image: served under the names they have. */
const STATIC_FOLDER = `${ROOT}brand/static`;

function sharedConfig(mode: BuildMode): InlineConfig {
  return {
    configFile: false,
    root: ROOT,
    mode,
    logLevel: 'warn',
    plugins: [react()],
    publicDir: STATIC_FOLDER,
  };
}

export function clientConfig({ outDir, mode }: { outDir: string; mode: BuildMode }): InlineConfig {
  return {
    ...sharedConfig(mode),
    build: {
      outDir,
      emptyOutDir: true,
      manifest: '.vite/manifest.json',
      // A font or picture inlined into the CSS could be neither cached nor preloaded by itself.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'baseline-widely-available',
      reportCompressedSize: false,
      rolldownOptions: { input: `${ROOT}web/entry-client.ts` },
    },
  };
}

export function prerenderConfig({ outDir, mode }: { outDir: string; mode: BuildMode }): InlineConfig {
  return {
    ...sharedConfig(mode),
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      copyPublicDir: false,
      ssr: `${ROOT}web/entry-server.tsx`,
      rolldownOptions: { output: { entryFileNames: 'entry-server.js' } },
    },
  };
}

/** How the site is bundled: once for the browser, once for the prerender. Both see the same hashed names of assets. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { InlineConfig, Plugin } from 'vite';
import { shownBrand } from './shown-brand.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type BuildMode = 'production' | 'development';

/** What a build is of. */
export type BuildSource = {
  /** The folder of the brand, absolute, without a slash at its end. */
  readonly brandDir: string;
  readonly mode: BuildMode;
};

/** The site imports its brand by relative paths that lead to `brand/`, and gets the folder that is built for instead. */
const BRAND_IMPORT = /^(?:\.\.\/)+brand\//;

/** What every page runs on. The entry point stays apart: it is small and comes first. */
const SHARED = new RegExp(
  [
    'node_modules/(?:react|react-dom|scheduler|wouter|use-sync-external-store)/|rolldown/runtime|preload-helper',
    '/contract/paths',
    '/web/(?!entry-)[^/]+[.]tsx?$',
    '/web/(?:browser/(?:use-music|react-|use-quiet|quiet-mode|saving-data)|api/(?:api-error|answer-shapes))',
    '/web/ui/(?:button|dot-art|music-toggle|quiet-toggle|page-header|badge|toast/toast-(?:slot|store))[.]',
    '/web/pages/parts/(?:site-|hundred-meter)',
  ].join('|'),
);

/** What the landing and the invite page share. */
const JOINING =
  /\/web\/(?:form\/|api\/join-key|browser\/(?:storage|use-stored)|ui\/text-field|pages\/parts\/(?:join|size))/;

/**
 * Vite wraps every dynamic import in a loader of styles and preloads. The pages' heads name what to preload and hold all
 * styles, so nothing is left for it to do.
 */
const plainDynamicImports: Plugin = {
  name: 'plain-dynamic-imports',
  enforce: 'pre',
  load: { filter: { id: /vite\/preload-helper/ }, handler: () => 'export const __vitePreload = (load) => load();' },
};

function sharedConfig({ brandDir, mode }: BuildSource): InlineConfig {
  return {
    configFile: false,
    root: ROOT,
    mode,
    logLevel: 'warn',
    plugins: [plainDynamicImports, shownBrand(brandDir), react()],
    resolve: { alias: [{ find: BRAND_IMPORT, replacement: `${brandDir}/` }] },
    // Icons, web manifest, share image: served under the names they have.
    publicDir: `${brandDir}/static`,
  };
}

export function clientConfig({ outDir, ...source }: BuildSource & { outDir: string }): InlineConfig {
  const sharedOfBrand = ['brand.ts', 'art/mask-silhouette.ts'].map((path) => `${source.brandDir}/${path}`);
  const artDir = `${source.brandDir}/art/`;
  return {
    ...sharedConfig(source),
    build: {
      outDir,
      emptyOutDir: true,
      manifest: '.vite/manifest.json',
      // A font or picture inlined into the CSS could be neither cached nor preloaded by itself.
      assetsInlineLimit: 0,
      modulePreload: false,
      // All styles are inlined into every page, so that a change of page never waits for one.
      cssCodeSplit: false,
      target: 'baseline-widely-available',
      reportCompressedSize: false,
      rolldownOptions: {
        input: `${ROOT}web/entry-client.tsx`,
        // The art is pure: a page that does not draw must not carry the drawing.
        treeshake: { moduleSideEffects: (id) => (id.startsWith(artDir) ? false : undefined) },
        // One chunk for what pages share, and one a page: many small ones compress worse.
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              { name: 'shared', test: (id) => SHARED.test(id) || sharedOfBrand.includes(id) },
              { name: 'joining', test: JOINING },
            ],
          },
        },
      },
    },
  };
}

/** The script that stands inline in every page: one chunk, in memory only. */
export function starterConfig(source: BuildSource): InlineConfig {
  return {
    ...sharedConfig(source),
    build: {
      write: false,
      target: 'baseline-widely-available',
      rolldownOptions: { input: `${ROOT}web/entry-starter.ts`, output: { format: 'iife' } },
    },
  };
}

const PRERENDER = ['entry-server.tsx', 'entry-mail-pages.tsx'].map((file) => `${ROOT}web/${file}`);

export function prerenderConfig({ outDir, ...source }: BuildSource & { outDir: string }): InlineConfig {
  return {
    ...sharedConfig(source),
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      copyPublicDir: false,
      ssr: true,
      rolldownOptions: {
        input: source.mode === 'development' ? [...PRERENDER, `${ROOT}web/entry-gallery.tsx`] : PRERENDER,
        output: { entryFileNames: '[name].js' },
      },
    },
  };
}

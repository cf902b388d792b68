import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { InlineConfig, Plugin } from 'vite';
import { drawnPictures, shownBrand } from './brand-plugins.ts';
import { APP_TARGET, STARTER_TARGET } from './oldest-browsers.ts';
import { CONSOLE_ENTRY } from './read-manifest.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The prerender finds its packages because this folder is inside the repository. */
export const CACHE = `${ROOT}.cache`;

type BuildMode = 'production' | 'development' | 'test';

export type BuildSource = { readonly brandDir: string; readonly mode: BuildMode };
export type BuildTarget = BuildSource & { readonly outDir: string };

/** Words about a drop and kinds of mail are those of this folder, whichever brand is built. */
const BRAND_FILE = /^(?:\.\.\/)+brand\/(?!(?:drop-words|entry-words|mail-shape)\.ts)/;

export const baseConfig = (brandDir: string) => ({
  configFile: false as const,
  root: ROOT,
  logLevel: 'warn' as const,
  resolve: { alias: [{ find: BRAND_FILE, replacement: `${brandDir}/` }] },
});

const SHARED = new RegExp(
  [
    'node_modules/(?:react|react-dom|scheduler|wouter|use-sync-external-store)/',
    'rolldown/runtime',
    'preload-helper',
    '/contract/(?:paths|example-links|sources)',
    '/web/(?!entry-)[^/]+[.]tsx?$',
    '/web/browser/(?:use-music|use-referral-code|quiet-mode|saving-data|storage)',
    '/web/api/(?:api-error|answer-shapes)',
    '/web/countdown/(?:late-drop-news|fetch-drop)',
    '/web/ui/controls/button[.]',
    '/web/ui/(?:art-light|badge|banner|browser-memory|inline-art|late-styles|lucide-icon)[.]',
    '/web/ui/(?:coarse-paint|page-header|when-idle)[.]',
    '/web/light/run-in-slices',
    '/web/ui/toast/toast-(?:slot|store)[.]',
    '/web/ui/numerals/write-number',
    '/web/pages/parts/(?:site-page|footer-links|mask-meter)',
  ].join('|'),
);

const JOINING = new RegExp(
  [
    '/web/(?:form/|light/own-paint|api/join-key|browser/use-stored|ui/controls/text-field)',
    '/web/pages/parts/(?:join|size|below-form)',
    '/web/pages/landing/(?:landing-mask|line-sentences)',
  ].join('|'),
);

/** Vite's loader is superfluous: page heads preload modules and contain all styles. */
const plainDynamicImports: Plugin = {
  name: 'plain-dynamic-imports',
  enforce: 'pre',
  load: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => 'export const __vitePreload = (load) => load();',
  },
};

const withoutTimings: Plugin = {
  name: 'without-timings',
  config: () => ({ build: { rolldownOptions: { checks: { bundlerTimings: false } } } }),
};

function sharedConfig({ brandDir, mode }: BuildSource): InlineConfig {
  return {
    ...baseConfig(brandDir),
    mode,
    plugins: [
      withoutTimings,
      plainDynamicImports,
      shownBrand(brandDir),
      drawnPictures(brandDir, `${CACHE}/pictures-${process.pid}`),
      react(),
    ],
    publicDir: `${brandDir}/static`,
  };
}

const APP_BUILD = {
  emptyOutDir: true,
  manifest: '.vite/manifest.json',
  // Inlined fonts and images could be neither cached nor preloaded.
  assetsInlineLimit: 0,
  modulePreload: false,
  // One style sheet, which the site inlines, so that navigation never waits for styles.
  cssCodeSplit: false,
  target: APP_TARGET,
  reportCompressedSize: false,
} as const;

const SMALLER = [
  { find: '../createLucideIcon.mjs', replacement: `${ROOT}web/ui/lucide-icon.tsx` },
  { find: 'use-sync-external-store/shim/index.js', replacement: 'react' },
];

export function clientConfig({ outDir, ...source }: BuildTarget): InlineConfig {
  const sharedOfBrand = ['brand.ts', 'art/mask-silhouette.ts'].map(
    (path) => `${source.brandDir}/${path}`,
  );
  const artDir = `${source.brandDir}/art/`;
  const { alias } = baseConfig(source.brandDir).resolve;
  return {
    ...sharedConfig(source),
    resolve: { alias: [...alias, ...SMALLER] },
    build: {
      ...APP_BUILD,
      outDir,
      rolldownOptions: {
        input: `${ROOT}web/entry-client.tsx`,
        // The art has no side effects: pages that do not draw must not load it.
        treeshake: { moduleSideEffects: (id) => (id.startsWith(artDir) ? false : undefined) },
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              { name: 'shared', test: (id) => SHARED.test(id) || sharedOfBrand.includes(id) },
              { name: 'joining', test: JOINING },
              // The mask in space is apart: only pages that turn it load it.
              { name: 'art', test: (id) => id.startsWith(artDir) && !id.includes('mask-object') },
            ],
          },
        },
      },
    },
  };
}

export function starterConfig(source: BuildSource): InlineConfig {
  return {
    ...sharedConfig(source),
    build: {
      write: false,
      target: STARTER_TARGET,
      rolldownOptions: { input: `${ROOT}web/deferred-entry.ts`, output: { format: 'iife' } },
    },
  };
}

/** The script of `/draw` shares no chunk with the site: other pages' bytes stay. */
export function drawScriptConfig({ outDir, ...source }: BuildTarget): InlineConfig {
  return {
    ...sharedConfig(source),
    build: {
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      target: APP_TARGET,
      reportCompressedSize: false,
      rolldownOptions: {
        input: `${ROOT}web/draw/entry-draw.ts`,
        treeshake: { moduleSideEffects: false },
        output: { entryFileNames: 'assets/draw-[hash].js' },
      },
    },
  };
}

export function consoleConfig({ outDir, ...source }: BuildTarget): InlineConfig {
  return {
    ...sharedConfig(source),
    base: '/console/',
    build: {
      ...APP_BUILD,
      outDir,
      copyPublicDir: false,
      rolldownOptions: { input: `${ROOT}${CONSOLE_ENTRY}` },
    },
  };
}

export function prerenderConfig({ outDir, ...source }: BuildTarget): InlineConfig {
  return {
    ...sharedConfig(source),
    build: {
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      copyPublicDir: false,
      ssr: true,
      rolldownOptions: {
        input: [
          `${ROOT}web/entry-server.tsx`,
          ...(source.mode === 'development' ? [`${ROOT}web/entry-gallery.tsx`] : []),
        ],
        output: { entryFileNames: '[name].js' },
      },
    },
  };
}

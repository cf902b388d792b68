/** The HTML document around a prerendered page. No inline script and no style attribute: the server's CSP forbids both. */
export type DocumentParts = {
  readonly language: string;
  /** What browsers tint their own frame with: the page's background. */
  readonly themeColour: string;
  /** The page's HTML, with the server's markers. */
  readonly body: string;
  readonly css: string;
  readonly fonts: readonly string[];
  /** Files of brand/static that are named in the head when they exist. */
  readonly staticFiles: ReadonlySet<string>;
  /** Null for a page without script. */
  readonly entry: string | null;
  readonly preloads: readonly string[];
  /** Only while developing. */
  readonly reloadScript: string | null;
};

const ICONS: readonly (readonly [file: string, attributes: string])[] = [
  ['favicon.svg', 'rel="icon" type="image/svg+xml"'],
  ['favicon.ico', 'rel="icon" sizes="32x32"'],
  ['apple-touch-icon.png', 'rel="apple-touch-icon"'],
  ['manifest.webmanifest', 'rel="manifest"'],
  ['site.webmanifest', 'rel="manifest"'],
];

/** `<!--head-->` is the server's: title, description, canonical, Open Graph, robots, preloads of the page's calls. */
export function renderDocument(parts: DocumentParts): string {
  const icons = ICONS.filter(([file]) => parts.staticFiles.has(file));
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '<!--head-->',
    ...parts.fonts.map((href) => `<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>`),
    `<style>${parts.css}</style>`,
    ...parts.preloads.map((href) => `<link rel="modulepreload" href="${href}" fetchpriority="low">`),
    ...(parts.entry ? [`<script type="module" src="${parts.entry}"></script>`] : []),
    ...(parts.reloadScript ? [`<script type="module" src="${parts.reloadScript}"></script>`] : []),
    `<meta name="theme-color" content="${parts.themeColour}">`,
    ...icons.map(([file, attributes]) => `<link ${attributes} href="/${file}">`),
  ];
  return `<!doctype html><html lang="${parts.language}"><head>${head.join('')}</head><body><div id="root">${parts.body}</div></body></html>`;
}

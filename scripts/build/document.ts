/** The HTML document around a prerendered page. No style attribute: the server's CSP forbids it. */
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
  /** SVG that is written into the head: browsers fetch an icon twice, and while the faces are on their way. */
  readonly icon: string | null;
  /** The inline script that puts the template to work. The server's CSP allows it by its hash. */
  readonly starter: string;
  /** Makes the page live. Null for a page without script. */
  readonly entry: string | null;
  /** What the entry imports. */
  readonly preloads: readonly string[];
  /** Only while developing. */
  readonly reloadScript: string | null;
};

const ICONS: readonly (readonly [file: string, attributes: string])[] = [
  ['favicon.ico', 'rel="icon" sizes="32x32"'],
  ['apple-touch-icon.png', 'rel="apple-touch-icon"'],
];
const MANIFESTS = ['manifest.webmanifest', 'site.webmanifest'];

/** `<!--head-->` is the server's: title, description, canonical, Open Graph, robots, preloads of the page's calls. */
export function renderDocument(parts: DocumentParts): string {
  const isThere = (file: string) => parts.staticFiles.has(file);
  const icons = ICONS.filter(([file]) => isThere(file));
  const later = [
    ...parts.preloads.map((href) => `<link rel="modulepreload" href="${href}">`),
    `<script type="module" src="${parts.entry}"></script>`,
    ...MANIFESTS.filter(isThere).map((file) => `<link rel="manifest" href="/${file}">`),
  ];
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    '<!--head-->',
    ...parts.fonts.map((href) => `<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>`),
    `<style>${parts.css}</style>`,
    `<meta name="theme-color" content="${parts.themeColour}">`,
    ...(parts.icon ? [`<link rel="icon" type="image/svg+xml" href="${dataAddress(parts.icon)}">`] : []),
    ...icons.map(([file, attributes]) => `<link ${attributes} href="/${file}">`),
    ...(parts.entry ? [`<template>${later.join('')}</template><script>${parts.starter}</script>`] : []),
    ...(parts.reloadScript ? [`<script type="module" src="${parts.reloadScript}"></script>`] : []),
  ];
  return `<!doctype html><html lang="${parts.language}"><head>${head.join('')}</head><body><div id="root">${parts.body}</div></body></html>`;
}

/** Shorter than base64, before and after compression. */
function dataAddress(svg: string): string {
  const text = svg.trim().replaceAll('%', '%25').replaceAll('#', '%23').replaceAll('"', "'").replaceAll('&', '&amp;');
  return `data:image/svg+xml,${text}`;
}

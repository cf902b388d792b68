export type DocumentParts = {
  readonly language: string;
  readonly themeColour: string;
  readonly body: string;
  readonly css: string;
  readonly fonts: readonly string[];
  readonly staticFiles: ReadonlySet<string>;
  /** Inlined SVG: browsers fetch icons twice, and in competition with the fonts. */
  readonly icon: string | null;
  readonly starter: string;
  readonly entry: string | null;
  readonly preloads: readonly string[];
};

const ICONS: readonly (readonly [file: string, attributes: string])[] = [
  ['favicon.ico', 'rel="icon" sizes="32x32"'],
  ['apple-touch-icon.png', 'rel="apple-touch-icon"'],
];
const MANIFESTS = ['manifest.webmanifest', 'site.webmanifest'];

/** The starter shows this toast of docs/behaviour.md 8 when the page's code does not arrive. */
const MISSING_CODE =
  '<div id="missing-code" class="missing-code" role="alert" hidden><p>Error loading data<br>' +
  'Please refresh the page or try again later.</p>' +
  '<button type="button" class="pill">Retry</button></div>';

/** The server fills in `<!--head-->`: title, Open Graph, robots, first calls. */
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
    ...parts.fonts.map(
      (href) => `<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>`,
    ),
    `<style>${parts.css}</style>`,
    `<meta name="theme-color" content="${parts.themeColour}">`,
    ...(parts.icon ? [`<link rel="icon" type="image/svg+xml" href="${dataUrl(parts.icon)}">`] : []),
    ...icons.map(([file, attributes]) => `<link ${attributes} href="/${file}">`),
    ...(parts.entry
      ? [
          '<noscript><style>.needs-script{display:none}</style></noscript>',
          `<template>${later.join('')}</template><script>${parts.starter}</script>`,
        ]
      : []),
  ];
  return (
    `<!doctype html><html lang="${parts.language}"${groupMark(parts.language)}>` +
    `<head>${head.join('')}</head>` +
    `<body>${parts.entry ? MISSING_CODE : ''}<div id="root">${parts.body}</div></body></html>`
  );
}

/** Group separator of `writeNumber` (web/ui/numerals); "" if it must ask Intl for each number. */
export function groupMark(language: string): string {
  const { format } = new Intl.NumberFormat(language);
  const [, mark = ''] = /^1(.)234$/.exec(format(1234)) ?? [];
  return format(12_345_678) === `12${mark}345${mark}678` && mark ? ` data-group="${mark}"` : '';
}

function dataUrl(svg: string): string {
  const text = svg
    .trim()
    .replaceAll('%', '%25')
    .replaceAll('#', '%23')
    .replaceAll('"', "'")
    .replaceAll('&', '&amp;');
  return `data:image/svg+xml,${text}`;
}

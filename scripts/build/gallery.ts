/** Development only: the page /dev/ui with every page state, in frames without script. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importFresh } from './import-fresh.ts';

type Frame = { readonly name: string; readonly html: string };

type Gallery = {
  renderGallery(): Promise<Frame[]>;
  readonly moreStyles: string;
};

const VARIANTS = [
  { file: 'ui', label: 'unchanged', root: '<html lang="en">' },
  { file: 'ui-right-to-left.html', label: 'right to left', root: '<html lang="en" dir="rtl">' },
  { file: 'ui-large.html', label: '200 % text', root: '<html lang="en" class="large">' },
  ...['hover', 'focus-visible', 'active'].map((state) => ({
    file: `ui-${state}.html`,
    label: state,
    root: `<html lang="en" data-force="${state}">`,
  })),
];

const OWN_STYLE = `
.large { font-size: 200%; }
.gallery { padding: 1.5rem; }
.gallery nav { display: flex; gap: 1.5rem; }
.gallery figure { display: inline-block; margin: 1.5rem 1.5rem 0 0; vertical-align: top; }
.gallery figcaption { margin-bottom: 0.5rem; }
.gallery iframe { border: 1px solid var(--line); background: var(--void); }
.gallery .phone { width: 390px; height: 664px; }
.gallery .desk { width: 1440px; height: 1328px; zoom: 0.5; }
`;

export async function writeGallery(dirs: { siteDir: string; serverDir: string }): Promise<void> {
  const entry = join(dirs.serverDir, 'entry-gallery.js');
  const { renderGallery, moreStyles } = await importFresh<Gallery>(entry);
  const folder = join(dirs.siteDir, 'dev');
  await mkdir(folder, { recursive: true });
  const css = await readFile(await findStyleSheet(dirs.siteDir), 'utf8');
  await writeFile(join(folder, 'gallery.css'), forceStates(css + moreStyles) + OWN_STYLE);
  const frames = await renderGallery();
  for (const variant of VARIANTS)
    await writeFile(join(folder, variant.file), renderPage(frames, variant.root));
}

async function findStyleSheet(siteDir: string): Promise<string> {
  const sheet = (await readdir(join(siteDir, 'assets'))).find((name) =>
    /^style-.*[.]css$/.test(name),
  );
  return join(siteDir, 'assets', sheet ?? '');
}

export function forceStates(css: string): string {
  return css.replace(
    /:(hover|active|focus-visible)(?![\\w-])/g,
    (state, name: string) => `:is(${state}, [data-force="${name}"] *)`,
  );
}

function renderPage(frames: readonly Frame[], root: string): string {
  const links = VARIANTS.map(({ file, label }) => `<a href="/dev/${file}">${label}</a>`).join('');
  const figures = frames.map((frame) => renderFigure(frame, root)).join('');
  return (
    `<!doctype html><html lang="en">${HEAD}<body class="gallery">` +
    `<nav class="label">${links}</nav>${figures}</body></html>`
  );
}

const HEAD =
  '<head><meta charset="utf-8"><title>Pages</title>' +
  '<link rel="stylesheet" href="/dev/gallery.css"></head>';

function renderFigure({ name, html }: Frame, root: string): string {
  const text = `<!doctype html>${root}${HEAD}<body>${html}</body></html>`
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;');
  const frames = ['phone', 'desk'].map(
    (width) => `<iframe class="${width}" title="${name}, ${width}" srcdoc="${text}"></iframe>`,
  );
  return `<figure><figcaption class="label">${name}</figcaption>${frames.join(' ')}</figure>`;
}

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentParts, renderDocument } from './document.ts';
import { importFresh } from './import-fresh.ts';
import {
  collectScripts,
  ENTRY,
  entryScript,
  pageSource,
  readManifest,
  styleSheet,
} from './read-manifest.ts';
import { ROOT } from './vite-config.ts';

const STATUS_STYLES = `${ROOT}web/pages/status/status.css`;

const PAGES = ['landing', 'status', 'invite', 'not-found'] as const;
const REFERRED = 'landing-referred';

/** Display, text and label font. Browsers find them late, which delays the first paint. */
const PRELOADED_FONTS = 3;

const ICON = 'favicon.svg';

type PageName = (typeof PAGES)[number];
type ServerEntry = {
  readonly language: string;
  renderPage(page: PageName, isReferred: boolean): Promise<string>;
  /** Styles of the pages without the site's script. */
  readonly styles: string;
  renderPagesWithoutScript(): {
    readonly name: string;
    readonly title: string;
    readonly html: string;
  }[];
};

export async function prerender(dirs: {
  siteDir: string;
  serverDir: string;
  pagesDir: string;
  drawScript: string;
  starter: string;
}): Promise<void> {
  const manifest = await readManifest(dirs.siteDir);
  const staticFiles = new Set(await readdir(dirs.siteDir));
  const server = await importFresh<ServerEntry>(join(dirs.serverDir, 'entry-server.js'));
  await mkdir(dirs.pagesDir, { recursive: true });
  const readSheet = async (file: string) =>
    (await readFile(join(dirs.siteDir, file), 'utf8')).trim();
  const css = await readSheet(styleSheet(manifest));
  const statusCss = await readSheet(styleSheet(manifest, STATUS_STYLES));
  const fonts = [
    ...new Set([...css.matchAll(/url\(["']?([^"')]+\.woff2)/g)].map(([, href = '']) => href)),
  ];
  const parts = {
    language: server.language,
    themeColour: readPageColour(css),
    css,
    fonts: fonts.slice(0, PRELOADED_FONTS),
    staticFiles,
    icon: staticFiles.has(ICON) ? await readFile(join(dirs.siteDir, ICON), 'utf8') : null,
    starter: dirs.starter,
  };
  const textFonts = fonts.slice(0, PRELOADED_FONTS - 1);
  await writePagesWithoutScript(server, dirs, { ...parts, fonts: textFonts });
  const entry = entryScript(manifest);
  for (const name of [...PAGES, REFERRED] as const) {
    const page = name === REFERRED ? 'landing' : name;
    const scripts = collectScripts(manifest, [pageSource(page), ENTRY]);
    const html = renderDocument({
      ...parts,
      css: page === 'status' ? css + statusCss : css,
      body: await server.renderPage(page, name === REFERRED),
      entry: `/${entry}`,
      preloads: scripts.filter((file) => file !== entry).map((file) => `/${file}`),
    });
    assertNoStyleAttribute(name, html);
    await writeFile(join(dirs.pagesDir, `${name}.html`), html);
  }
}

function readPageColour(css: string): string {
  const colour = /--void:\s*(#[0-9a-f]+)/i.exec(css)?.[1];
  if (!colour) throw new Error('tokens.css has no colour --void.');
  return colour;
}

/** The CSP makes browsers ignore style attributes, so hydration would find another state. */
function assertNoStyleAttribute(page: string, html: string): void {
  const found = /<[^>]*\sstyle=[^>]*>/.exec(html);
  if (found)
    throw new Error(
      `The page ${page} has a style attribute in its first state: ${found[0].slice(0, 200)}`,
    );
}

async function writePagesWithoutScript(
  { styles, renderPagesWithoutScript }: ServerEntry,
  dirs: { pagesDir: string; drawScript: string },
  parts: Omit<DocumentParts, 'body' | 'entry' | 'preloads'>,
): Promise<void> {
  for (const { name, title, html } of renderPagesWithoutScript()) {
    const more =
      name === 'draw'
        ? `<script type="module" src="/${dirs.drawScript}"></script>`
        : '<meta name="robots" content="noindex">';
    const head = `<title>${title}</title>${more}`;
    const document = renderDocument({
      ...parts,
      css: parts.css + styles,
      body: html,
      entry: null,
      preloads: [],
    }).replace('<!--head-->', () => head);
    await writeFile(join(dirs.pagesDir, `${name}.html`), document);
  }
}

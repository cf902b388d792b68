/** Writes the four pages as templates for the server. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderDocument } from './document.ts';
import { collectFiles, ENTRY, HYDRATION, pageSource, readManifest } from './read-manifest.ts';

export const PAGES = ['landing', 'status', 'invite', 'not-found'] as const;

/** Display and text face: the two that the first view is read in. They stand first in the style sheet. */
const PRELOADED_FONTS = 2;

type PageName = (typeof PAGES)[number];
type ServerEntry = { renderPage(page: PageName): Promise<string> };

/** Takes the browser's build in `siteDir` and the prerender's in `serverDir`; writes `pagesDir`. */
export async function prerender(dirs: {
  siteDir: string;
  serverDir: string;
  pagesDir: string;
  reloadScript: string | null;
}): Promise<void> {
  const manifest = await readManifest(dirs.siteDir);
  const staticFiles = new Set(await readdir(dirs.siteDir));
  // The name differs per build: modules are cached by address, and `npm run dev` builds many times in one process.
  const address = `${pathToFileURL(join(dirs.serverDir, 'entry-server.js')).href}?${Date.now()}`;
  const { renderPage }: ServerEntry = await import(address);
  await mkdir(dirs.pagesDir, { recursive: true });
  for (const page of PAGES) {
    const { scripts, styles } = collectFiles(manifest, [ENTRY, HYDRATION, pageSource(page)]);
    const [entry, ...preloads] = [manifest[ENTRY]?.file ?? '', ...scripts].filter(
      (file, index, files) => files.indexOf(file) === index,
    );
    const css = (await Promise.all(styles.map((file) => readFile(join(dirs.siteDir, file), 'utf8')))).join('').trim();
    const fonts = [...new Set([...css.matchAll(/url\(["']?([^"')]+\.woff2)/g)].map(([, href = '']) => href))];
    const html = renderDocument({
      body: await renderPage(page),
      css,
      styles: styles.map((file) => `/${file}`),
      fonts: fonts.slice(0, PRELOADED_FONTS),
      staticFiles,
      entry: `/${entry}`,
      preloads: preloads.map((file) => `/${file}`),
      reloadScript: dirs.reloadScript,
    });
    assertNoStyleAttribute(page, html);
    await writeFile(join(dirs.pagesDir, `${page}.html`), html);
  }
}

/** The browser would drop it, under the server's CSP, and the page would look different from what React believes. */
function assertNoStyleAttribute(page: string, html: string): void {
  const found = /<[^>]*\sstyle=[^>]*>/.exec(html);
  if (found) throw new Error(`The page ${page} has a style attribute in its first state: ${found[0].slice(0, 200)}`);
}

/** Writes the templates of the pages without the site's script. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DocumentParts, renderDocument } from './document.ts';

type Entry = {
  readonly styles: string;
  renderPagesWithoutScript(): {
    readonly name: string;
    readonly title: string;
    readonly html: string;
  }[];
};

/**
 * `serverDir` holds the build of web/entry-without-script.tsx; `drawScript` is the file of the one
 * page with a script of its own.
 */
export async function writePagesWithoutScript(
  dirs: { serverDir: string; pagesDir: string; drawScript: string },
  parts: Omit<DocumentParts, 'body' | 'entry' | 'preloads'>,
): Promise<void> {
  const entry = pathToFileURL(join(dirs.serverDir, 'entry-without-script.js')).href;
  const { styles, renderPagesWithoutScript }: Entry = await import(`${entry}?${Date.now()}`);
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

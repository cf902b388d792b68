/** Writes the templates of the pages without script, which are not indexed. */
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

/** `serverDir` holds the build of web/entry-without-script.tsx. */
export async function writePagesWithoutScript(
  dirs: { serverDir: string; pagesDir: string },
  parts: Omit<DocumentParts, 'body' | 'entry' | 'preloads'>,
): Promise<void> {
  const entry = pathToFileURL(join(dirs.serverDir, 'entry-without-script.js')).href;
  const { styles, renderPagesWithoutScript }: Entry = await import(`${entry}?${Date.now()}`);
  for (const { name, title, html } of renderPagesWithoutScript()) {
    const head = `<title>${title}</title><meta name="robots" content="noindex">`;
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

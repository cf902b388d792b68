/** Writes the templates of the pages that mails link to: no script, not indexed. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DocumentParts, renderDocument } from './document.ts';

type Entry = {
  readonly styles: string;
  renderMailPages(): { readonly name: string; readonly title: string; readonly html: string }[];
};

/** `serverDir` holds the build of web/entry-mail-pages.tsx. */
export async function writeMailPages(
  dirs: { serverDir: string; pagesDir: string },
  parts: Omit<DocumentParts, 'body' | 'entry' | 'preloads'>,
): Promise<void> {
  const address = `${pathToFileURL(join(dirs.serverDir, 'entry-mail-pages.js')).href}?${Date.now()}`;
  const { styles, renderMailPages }: Entry = await import(address);
  for (const { name, title, html } of renderMailPages()) {
    const head = `<title>${title}</title><meta name="robots" content="noindex">`;
    const document = renderDocument({
      ...parts,
      css: parts.css + styles.trim(),
      body: html,
      entry: null,
      preloads: [],
    }).replace('<!--head-->', () => head);
    await writeFile(join(dirs.pagesDir, `${name}.html`), document);
  }
}

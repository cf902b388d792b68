/** Reads the mails that are kept in the data folder while no SMTP server is set. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import PostalMime from 'postal-mime';
import { keptMailFolder } from '../delivery/transport.ts';

export type KeptMail = {
  /** Its path below the folder of kept mails: a name to ask for it by. */
  readonly name: string;
  readonly keptAt: Date;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly source: Buffer;
};

type KeptFile = { readonly name: string; readonly path: string; readonly keptAt: Date };

/** The newest first, at most `most` of them; `count` is how many there are. */
export async function listKeptMails(
  dataDir: string,
  { most }: { most: number },
): Promise<{ mails: readonly KeptMail[]; count: number }> {
  const files = await listFiles(dataDir);
  const newest = files.sort((one, other) => other.keptAt.getTime() - one.keptAt.getTime()).slice(0, most);
  return { mails: await Promise.all(newest.map(readMail)), count: files.length };
}

/** null when there is none of this name. The name is looked up among the files there are, and no path is ever made of it. */
export async function findKeptMail(dataDir: string, name: string): Promise<KeptMail | null> {
  const file = (await listFiles(dataDir)).find((one) => one.name === name);
  return file ? await readMail(file) : null;
}

async function listFiles(dataDir: string): Promise<KeptFile[]> {
  const folder = keptMailFolder(dataDir);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const kept = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.eml'));
  return await Promise.all(
    kept.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: relative(folder, path).replaceAll('\\', '/'), path, keptAt: (await stat(path)).mtime };
    }),
  );
}

async function readMail({ name, path, keptAt }: KeptFile): Promise<KeptMail> {
  const source = await readFile(path);
  const { to = [], subject = '', html = '', text = '' } = await PostalMime.parse(source);
  return { name, keptAt, to: to.map(({ address = '' }) => address).join(', '), subject, html, text, source };
}

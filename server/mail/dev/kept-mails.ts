/** Reads the mails kept in the data folder while no SMTP server is configured. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import PostalMime from 'postal-mime';
import { keptMailFolder } from '../delivery/transport.ts';

export type KeptMail = {
  /** Its path below the folder of kept mails; identifies it in URLs. */
  readonly name: string;
  readonly keptAt: Date;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly source: Buffer;
};

type KeptFile = { readonly name: string; readonly path: string; readonly keptAt: Date };

/** The newest `limit` mails; `count` is the number of all. */
export async function listKeptMails(
  dataDir: string,
  { limit }: { limit: number },
): Promise<{ mails: readonly KeptMail[]; count: number }> {
  const files = await listFiles(dataDir);
  const newest = files
    .sort((one, other) => other.keptAt.getTime() - one.keptAt.getTime())
    .slice(0, limit);
  return { mails: await Promise.all(newest.map(readMail)), count: files.length };
}

/** Null when unknown. Compares names and never builds a path from one: no path traversal. */
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
      return {
        name: relative(folder, path).replaceAll('\\', '/'),
        path,
        keptAt: (await stat(path)).mtime,
      };
    }),
  );
}

async function readMail({ name, path, keptAt }: KeptFile): Promise<KeptMail> {
  const source = await readFile(path);
  const { to = [], subject = '', html = '', text = '' } = await PostalMime.parse(source);
  return {
    name,
    keptAt,
    to: to.map(({ address = '' }) => address).join(', '),
    subject,
    html,
    text,
    source,
  };
}

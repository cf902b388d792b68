import { glob, lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import PostalMime from 'postal-mime';
import { partsOf } from '../../db/scheduled-work.ts';
import { keptMailFolder } from '../../mail/delivery/transport.ts';

type KeptFile = {
  /** `{memberId}/{jobId}.eml`; identifies it in URLs. */
  readonly name: string;
  readonly keptAt: Date;
};

export type KeptMail = Awaited<ReturnType<typeof readMail>>;
export type KeptMailPage = { readonly mails: readonly KeptMail[]; readonly pages: number };

const MAILS_PER_PAGE = 50;
const FILES_AT_ONCE = 1_000;
/** No path traversal: one folder and one file, without dots. */
const NAME = /^[\w-]+\/[\w-]+\.eml$/;

export async function listKeptMails(dataDir: string, page: number): Promise<KeptMailPage> {
  const folder = keptMailFolder(dataDir);
  const files = await listFiles(folder);
  files.sort((one, other) => other.keptAt.getTime() - one.keptAt.getTime());
  const shown = files.slice((page - 1) * MAILS_PER_PAGE, page * MAILS_PER_PAGE);
  return {
    mails: await Promise.all(shown.map((file) => readMail(folder, file))),
    pages: Math.ceil(files.length / MAILS_PER_PAGE),
  };
}

export async function findKeptMail(dataDir: string, name: string): Promise<KeptMail | null> {
  const folder = keptMailFolder(dataDir);
  const file = await findFile(folder, name);
  return file && (await readMail(folder, file));
}

async function listFiles(folder: string): Promise<KeptFile[]> {
  const names: string[] = [];
  for await (const name of glob('*/*.eml', { cwd: folder })) names.push(name);
  const files: (KeptFile | null)[] = [];
  for await (const part of partsOf(names, FILES_AT_ONCE))
    files.push(...(await Promise.all(part.map((name) => findFile(folder, name)))));
  return files.filter((file) => file !== null);
}

/** Null when it is gone, as a member who leaves takes their mails along, or no file of ours. */
async function findFile(folder: string, name: string): Promise<KeptFile | null> {
  if (!NAME.test(name)) return null;
  const path = join(folder, name);
  // A symbolic link could lead out of the folder.
  const [parent, file] = await Promise.all(
    [dirname(path), path].map((each) => lstat(each).catch(() => null)),
  );
  return parent?.isDirectory() && file?.isFile() ? { name, keptAt: file.mtime } : null;
}

/** A mail that is gone since it was found is empty. */
async function readMail(folder: string, file: KeptFile) {
  const source = await readFile(join(folder, file.name)).catch(() => Buffer.alloc(0));
  const { to = [], subject = '', html = '', text = '' } = await PostalMime.parse(source);
  const addresses = to.map(({ address = '' }) => address).join(', ');
  return { ...file, to: addresses, subject, html, text, source };
}

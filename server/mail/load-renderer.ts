import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RenderMail } from '../../contract/mails.ts';
import { StartupError } from '../startup-error.ts';

/** The mails of the built site in `siteDir`. Throws a StartupError when they are not built. */
export async function loadMailRenderer(siteDir: string): Promise<RenderMail> {
  const path = join(siteDir, 'mails', 'render-mail.js');
  if (!existsSync(path)) throw new StartupError(`The mails are not built: ${path} is missing. Run npm run build.`);
  const { renderMail }: { renderMail: RenderMail } = await import(pathToFileURL(path).href);
  return renderMail;
}

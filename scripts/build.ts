/** `npm run build`: the visitors' site into dist/: hashed assets in site/, page templates for the server in pages/. */
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { compressFolder } from './build/compress.ts';
import { prerender } from './build/prerender.ts';
import { writeReloadScript } from './build/reload-script.ts';
import { hashInputs, isBuildStale, writeStamp } from './build/stamp.ts';
import { type BuildMode, clientConfig, prerenderConfig, ROOT } from './build/vite-config.ts';

/** Where the server looks. */
export const DIST = join(ROOT, 'dist');

/** Builds into `outDir` unless it is fresh. A build that fails leaves what was there as it was. */
export async function buildSite({
  outDir,
  mode = 'production',
}: {
  outDir: string;
  mode?: BuildMode;
}): Promise<'built' | 'fresh'> {
  if (!(await isBuildStale({ outDir, mode }))) return 'fresh';
  const hash = await hashInputs(mode);
  const nextDir = `${outDir}.next`;
  await rm(nextDir, { recursive: true, force: true });
  const siteDir = join(nextDir, 'site');
  // Inside the repository, so that Node finds the packages that the prerender imports.
  const serverDir = join(ROOT, '.cache', 'prerender');
  await build(clientConfig({ outDir: siteDir, mode }));
  await build(prerenderConfig({ outDir: serverDir, mode }));
  const reloadScript = mode === 'development' ? await writeReloadScript(siteDir) : null;
  await prerender({ siteDir, serverDir, pagesDir: join(nextDir, 'pages'), reloadScript });
  await rename(join(siteDir, '.vite'), join(nextDir, 'manifest'));
  await compressFolder(siteDir);
  await writeStamp(nextDir, hash);
  await rm(outDir, { recursive: true, force: true });
  await rename(nextDir, outDir);
  return 'built';
}

if (import.meta.main) {
  const startedAt = Date.now();
  const outcome = await buildSite({ outDir: DIST });
  if (outcome === 'built') console.log(`Built the site in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}

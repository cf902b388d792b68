import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);

export function readVersion(): string {
  const manifest = readFileSync(new URL('package.json', ROOT), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** The commit of the checkout, or the one that an image was built from. */
export function readCommit(): string {
  const ofImage = new URL('.commit', ROOT);
  if (existsSync(ofImage)) return readFileSync(ofImage, 'utf8').trim();
  const words = ['-C', fileURLToPath(ROOT), 'rev-parse', '--short=12', 'HEAD'];
  return spawnSync('git', words, { encoding: 'utf8' }).stdout?.trim() || 'unknown';
}

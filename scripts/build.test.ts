import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveConfig } from 'vite';
import { expect, test } from 'vitest';
import { StartupError } from '../server/startup-error.ts';
import { clientConfig } from './build/vite-config.ts';
import { buildSite } from './build.ts';

test('a site that cannot be written where it has to be is refused with the reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-build-'));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const outDir = join(file, 'dist');
  await expect(buildSite({ outDir })).rejects.toThrow(
    new StartupError(
      `The site has to be built, and ${outDir} cannot be written: it is not a folder.`,
    ),
  );
  rmSync(folder, { recursive: true });
});

test('a slow machine prints nothing about the time of plugins', async () => {
  const source = { brandDir: 'brand', mode: 'production', outDir: 'dist' } as const;
  const { build } = await resolveConfig(clientConfig(source), 'build');
  expect(build.rolldownOptions.checks).toEqual({ bundlerTimings: false });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach } from 'vitest';

/**
 * An empty folder for each of the tests around it, or one for all of them, which is deleted
 * afterwards. Returns what names a path in it.
 */
export function provideFolder(scope: 'each' | 'all' = 'each'): (...names: string[]) => string {
  let folder = '';
  const before = scope === 'each' ? beforeEach : beforeAll;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'waitlist-test-'));
    // A process that was just killed may still be writing.
    return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  return (...names) => join(folder, ...names);
}

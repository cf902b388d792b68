import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StartupError } from '../startup-error.ts';
import { assertSecretKeyFits } from './secret-key.ts';

test('a file that holds no key is put back, because a new one would not fit the line', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-secret-key-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  writeFileSync(join(dataDir, 'secret-key'), 'short', { mode: 0o600 });
  await expect(assertSecretKeyFits({ secretKey: null, dataDir }, 'a key')).rejects.toThrow(
    new StartupError(
      `${dataDir}/secret-key does not hold a secret. Put back the file of this line, or restore ` +
        'a backup, which has it.',
    ),
  );
});

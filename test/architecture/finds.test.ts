import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readTexts } from './source-files.ts';

test('each find that is replayed names a test of the file beside it', () => {
  for (const { path, text } of readTexts(/\.finds\.json$/)) {
    const tests = readFileSync(path.replace(/\.finds\.json$/, '.test.ts'), 'utf8');
    for (const title of Object.keys(JSON.parse(text))) expect(tests, path).toContain(`'${title}'`);
  }
});

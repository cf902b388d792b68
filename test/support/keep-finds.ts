import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';

/**
 * Parameters of fast-check that replay first what a random run of the running test once found:
 * minimised cases by the title of the test, in `<file>.finds.json` beside `<file>.test.ts`. A
 * failure prints what to add there.
 */
export function keepFinds<Values>(parameters: fc.Parameters<Values> = {}): fc.Parameters<Values> {
  const { testPath = '', currentTestName = '' } = expect.getState();
  const path = testPath.replace(/\.test\.tsx?$/, '.finds.json');
  const title = currentTestName.split(' > ').at(-1) ?? '';
  const finds = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  return {
    ...parameters,
    examples: finds[title] ?? [],
    reporter(run) {
      if (!run.failed) return;
      const advice =
        run.counterexample === null
          ? ''
          : `\nMend it, and keep it in ${relative('.', path)} under ${JSON.stringify(title)}:\n` +
            JSON.stringify(run.counterexample);
      // The summary of `npm test` shows the first lines of an error, but not its cause.
      const report = `${run.errorInstance}\n${fc.defaultReportMessage(run)}${advice}`;
      throw new Error(report, { cause: run.errorInstance });
    },
  };
}

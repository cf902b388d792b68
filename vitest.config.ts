import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { isFull, WITNESSES } from './test/support/short-form.ts';

/** Vitest's one second is too short for a busy machine. */
const PATIENT = { poll: { timeout: 20_000 } };

// Tests start servers and commands hundreds of times: compiled once, they start sooner.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('.cache/compile', import.meta.url));

export default defineConfig({
  // Tests render mails by React as shipped: its development build costs more.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    env: { NODE_ENV: 'production' },
    // The long form shuffles the tests of a file. Files keep their order: a sequencer is named.
    sequence: { sequencer: LongestFirst, shuffle: { tests: isFull } },
    // Test files share a worker: the compiled engine, the loaded modules and the browser.
    isolate: isFull,
    ...(!isFull && { setupFiles: ['test/support/compile-once.ts'] }),
    // One worker per core would leave cores idle: many tests wait for servers and deadlines.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{brand,contract,server,web,console,mails}/**/*.test.{ts,tsx}',
            '{scripts,studio,bench,demo}/**/*.test.ts',
            'test/{architecture,budgets}/**/*.test.ts',
          ],
          exclude: ['**/*.db.test.ts'],
          expect: PATIENT,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: [
            '{server,bench,demo}/**/*.db.test.ts',
            'test/{line,http,hostile,limits,mail,share,cluster}/**/*.test.ts',
            ...(isFull
              ? ['test/faults/**/*.test.ts']
              : WITNESSES.map((name) => `test/faults/${name}.test.ts`)),
          ],
          exclude: isFull ? [] : ['{bench/fairness/http,demo/rehearsal,demo/sizes}/*.db.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
          ...(!isFull && { setupFiles: ['test/support/create-once.ts'] }),
          expect: PATIENT,
          testTimeout: isFull ? 3_600_000 : 480_000,
          hookTimeout: 480_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'deployments',
          include: ['test/deployments/**/*.test.ts'],
          expect: PATIENT,
          testTimeout: 1_800_000,
          hookTimeout: 480_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/{browser,console}/**/*.test.ts'],
          globalSetup: ['test/support/browser-setup.ts'],
          expect: PATIENT,
          testTimeout: 180_000,
          hookTimeout: 480_000,
        },
      },
    ],
  },
});

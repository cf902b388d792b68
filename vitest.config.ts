import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { ByProject } from './test/support/by-project.ts';
import { isAll, isLong } from './test/support/test-form.ts';

/** Vitest's one second is too short for a busy machine. */
const PATIENT = { poll: { timeout: 60_000, interval: 100 } };
const NOT_IN_FORM = isAll ? [] : ['**/*.all.*'];
/** Milliseconds until a test counts as hung. A walk through all states takes minutes. */
const HUNG_UNIT_MS = isAll ? 480_000 : 120_000;
const HUNG_MS = isAll ? 1_800_000 : 480_000;

// Tests start servers and commands hundreds of times: compiled once, they start sooner.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('.cache/compile', import.meta.url));
process.env.TEST_SEED ??= String(randomInt(2 ** 31));

export default defineConfig({
  // Tests render mails by React as shipped: its development build costs more.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    // The three projects share what is transformed, and so does the next run.
    fsModuleCache: true,
    fsModuleCachePath: '.cache/vitest',
    env: { NODE_ENV: 'production' },
    sequence: {
      sequencer: ByProject,
      shuffle: { tests: isAll },
      seed: Number(process.env.TEST_SEED),
    },
    // Test files share a worker: the compiled engine, the loaded modules and the browser.
    isolate: isLong,
    setupFiles: ['test/support/seed.ts', ...(isLong ? [] : ['test/support/compile-once.ts'])],
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
          exclude: [...NOT_IN_FORM, '**/*.db.*'],
          expect: PATIENT,
          testTimeout: HUNG_UNIT_MS,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: [
            '{server,bench,demo}/**/*.db.*test.ts',
            'test/{line,http,hostile,limits,mail,share,cluster,faults}/**/*.test.ts',
          ],
          exclude: NOT_IN_FORM,
          globalSetup: ['test/support/postgres-setup.ts'],
          ...(!isLong && { setupFiles: ['test/support/create-once.ts'] }),
          expect: PATIENT,
          testTimeout: isLong ? 3_600_000 : HUNG_MS,
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
          exclude: NOT_IN_FORM,
          globalSetup: ['test/support/browser-setup.ts'],
          expect: PATIENT,
          testTimeout: HUNG_MS,
          hookTimeout: 480_000,
        },
      },
    ],
  },
});

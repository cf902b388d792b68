import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { FaultsFirst } from './test/support/faults-first.ts';

/** `npm run faults`: many trials a test. */
const isFull = process.env.FAULTS === 'full';
/** Vitest would give a busy machine one second. */
const PATIENT = { poll: { timeout: 20_000 } };

// Servers and commands are started some hundred times, and a worker for every file: compiled once, they are there sooner.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('.cache/compile', import.meta.url));

export default defineConfig({
  test: {
    sequence: { sequencer: FaultsFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{brand,contract,server,web,mails,scripts,bench}/**/*.test.{ts,tsx}',
            'test/{architecture,budgets}/**/*.test.ts',
          ],
          exclude: ['**/*.db.test.ts'],
          expect: PATIENT,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'database',
          include: [
            '{server,bench}/**/*.db.test.ts',
            'test/{line,http,hostile,limits,mail,share,faults,cluster}/**/*.test.ts',
          ],
          globalSetup: ['test/support/postgres-setup.ts'],
          expect: PATIENT,
          testTimeout: isFull ? 3_600_000 : 480_000,
          hookTimeout: 480_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/browser-setup.ts'],
          expect: PATIENT,
          testTimeout: 180_000,
          hookTimeout: 480_000,
        },
      },
    ],
  },
});

/** One seed decides whatever tests draw at random, so that every failure can be repeated. */
import fc from 'fast-check';
import { beforeEach, onTestFailed } from 'vitest';

const seed = Number(process.env.TEST_SEED);

fc.configureGlobal({ seed });
beforeEach(() => {
  onTestFailed(() => console.error(`TEST_SEED=${seed} draws the same again.`));
});

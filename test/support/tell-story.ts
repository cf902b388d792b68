import { type TestContext, test } from 'vitest';

type Step = (name: string, run: (context: TestContext) => unknown) => void;

/**
 * One test of several steps, for what one line or one drop goes through: each step begins where the
 * one before it ended, so they are no tests of their own. A failure names its step. Call it where
 * the test belongs, and the function that it returns once for each step, in order.
 */
export function tellStory(title: string): Step {
  const steps: Parameters<Step>[] = [];
  test(title, async (context) => {
    for (const [name, run] of steps) {
      try {
        await run(context);
      } catch (error) {
        if (error instanceof Error) error.message = `${name}: ${error.message}`;
        throw error;
      }
    }
  });
  return (name, run) => void steps.push([name, run]);
}

/** What a start says while nobody has entered the console. */
import { expect, onTestFinished, test } from 'vitest';
import { createMigratedPlace } from '../support/engines.ts';
import { serveInProcess } from '../support/in-process-server.ts';
import { isAll } from '../support/test-form.ts';

const WATCHED: readonly [boolean, RegExp][] = [
  [true, /becomes the owner:\n {2}http:\S+\/console\/sign-in#[\w-]{43}\n/],
  [false, /There is no owner yet\. Become it: \.\/waitlist sign-in\n$/],
];

test.each(isAll ? WATCHED : WATCHED.slice(0, 1))(
  'the link of the first owner is printed where a person reads it: %j',
  async (isWatched, words) => {
    const place = await createMigratedPlace('embedded');
    const site = await serveInProcess({ DATA_DIR: place.dataDir }, { isWatched });
    onTestFinished(async () => {
      await site.stop();
      await place.remove();
    });
    expect(site.output()).toMatch(words);
    expect(site.output().includes('sign-in#')).toBe(isWatched);
  },
);

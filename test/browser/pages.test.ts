/** Every page in the state that most visitors see: axe finds nothing, and it fits its window. */
import { test } from 'vitest';
import { pagePaths } from '../../contract/paths.ts';
import { dropStates } from '../../web/dev/sample-drops.ts';
import { expectAccessiblePage } from '../support/accessible-page.ts';
import { openTestBrowser, type Visitor } from '../support/browser.ts';
import { answerDrop, pathTo } from '../support/drop-states.ts';
import { pageStates } from '../support/page-states.ts';
import { lookAtEach } from '../support/page-visits.ts';

const PAGES = [
  'landing',
  'invite',
  'invalid invite',
  'page not found',
  'status',
  'member not found',
];
const CARDS = ['offered', 'pass'];

const browser = openTestBrowser();
const states = [
  {
    name: 'draw',
    async reach({ page, allowNoise }: Visitor) {
      allowNoise(/404/);
      await page.goto(pagePaths.draw);
      await page.getByText('When the list closes').first().waitFor();
    },
  },
  ...pageStates.filter(({ name }) => PAGES.includes(name)),
  ...dropStates
    .filter(({ name }) => CARDS.includes(name))
    .map((state) => ({
      name: state.name,
      async reach({ page, open }: Visitor) {
        await answerDrop(page, state);
        await open(pathTo(state));
        await page.getByText(state.says).first().waitFor();
      },
    })),
];

test('every page is accessible and fits every width', async () => {
  const visitor = await browser.visit({ permissions: ['clipboard-write'] });
  await lookAtEach(visitor, states, ({ name }) => expectAccessiblePage(visitor.page, name));
});

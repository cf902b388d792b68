/** The two ways to work at the console: by keys alone at a desk, and by touch on a phone. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { DESKTOP, PHONE } from './browser.ts';
import { pressInTurn } from './console-visit.ts';

export type Hand = {
  /** A button, a link, a row, an item of a menu, a checkbox. */
  press(target: Locator): Promise<void>;
  write(target: Locator, text: string): Promise<void>;
  choose(target: Locator, label: string): Promise<void>;
  /** Opens a screen by its name. */
  go(screen: string): Promise<void>;
  /** Closes the sheet. */
  close(): Promise<void>;
  /** Gives the reason, confirms, and waits until the dialog has closed without losing the focus. */
  confirm(dialog: Locator, label: string): Promise<void>;
};

export const HANDS = [
  { name: 'by keys alone at a desk', options: { viewport: DESKTOP }, handOf: keysOf },
  { name: 'by touch on a phone', options: { viewport: PHONE, hasTouch: true }, handOf: touchOf },
] as const;

/** More than any screen has to walk through. */
const MAX_STEPS = 150;
const REASON = 'a test of the console';

function keysOf(page: Page): Hand {
  const { keyboard } = page;

  async function reach(target: Locator): Promise<void> {
    await target.waitFor();
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const key = await target.evaluate((element) => {
        const from = document.activeElement ?? document.body;
        if (element === from) return null;
        if (element.closest('[role=menu]')) return 'ArrowDown';
        const isBehind =
          from !== document.body &&
          (from.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) > 0;
        if (element.matches('tr')) return isBehind ? 'k' : 'j';
        return isBehind ? 'Shift+Tab' : 'Tab';
      });
      if (key === null) return;
      await keyboard.press(key);
    }
    throw new Error(`No key reaches ${target}.`);
  }

  return {
    async press(target) {
      await reach(target);
      const isBox = await target.evaluate((element) => element.matches('input'));
      await keyboard.press(isBox ? 'Space' : 'Enter');
    },
    async write(target, text) {
      await reach(target);
      await keyboard.press('Control+A');
      await keyboard.type(text);
    },
    async choose(target, label) {
      await reach(target);
      // A pause between two letters would begin the search anew.
      await pressInTurn(page, ...label);
    },
    async go(screen) {
      await keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Keyboard' });
      const keys = help.locator('dl > div').filter({ hasText: screen }).locator('kbd');
      await keys.last().waitFor();
      const sequence = await keys.allTextContents();
      await keyboard.press('Escape');
      await expect.poll(() => help.count()).toBe(0);
      await pressInTurn(page, ...sequence);
      await page.getByRole('heading', { level: 1, name: screen, exact: true }).waitFor();
    },
    async close() {
      await keyboard.press('Escape');
      await expect.poll(() => page.locator('.sheet').count()).toBe(0);
      await expectFocus(page);
    },
    async confirm(dialog, label) {
      await dialog.getByRole('button', { name: label, exact: true }).and(ENABLED(page)).waitFor();
      await this.write(dialog.getByLabel('Reason'), REASON);
      await keyboard.press('Control+Enter');
      await expect.poll(() => dialog.count()).toBe(0);
      await expectFocus(page);
    },
  };
}

function touchOf(page: Page): Hand {
  return {
    press: (target) => target.tap(),
    async write(target, text) {
      await target.tap();
      await target.fill(text);
    },
    async choose(target, label) {
      await target.waitFor();
      const options = await target.locator('option').allTextContents();
      await target.selectOption({ label: options.find((one) => one.startsWith(label)) ?? label });
    },
    async go(screen) {
      const place = page.getByRole('navigation').getByRole('link', { name: screen, exact: true });
      if (await place.isVisible()) await place.tap();
      else {
        await page.getByRole('button', { name: 'More', exact: true }).tap();
        await page.getByRole('menuitem', { name: screen, exact: true }).tap();
      }
      await page.getByRole('heading', { level: 1, name: screen, exact: true }).waitFor();
    },
    async close() {
      await page.locator('.sheet').getByRole('button', { name: 'Close' }).tap();
      await expect.poll(() => page.locator('.sheet').count()).toBe(0);
    },
    async confirm(dialog, label) {
      await this.write(dialog.getByLabel('Reason'), REASON);
      await dialog.getByRole('button', { name: label, exact: true }).tap();
      await expect.poll(() => dialog.count()).toBe(0);
    },
  };
}

const ENABLED = (page: Page) => page.locator(':enabled');

/** Tab goes on from somewhere, not from the top of the page. */
async function expectFocus(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.tagName ?? ''), {
      message: 'the focus is lost',
    })
    .not.toBe('BODY');
}

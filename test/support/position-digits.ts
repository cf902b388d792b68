import type { Page } from 'playwright-core';

/** Digits of a member's position: "2>4" counts from 2 to 4, ">4" stands. */
export const readDigits = (page: Page) =>
  page
    .locator('.position-card .dot-number-digit')
    .evaluateAll((digits: HTMLElement[]) =>
      digits.map(({ dataset }) => `${dataset.was ?? ''}>${dataset.digit}`),
    );

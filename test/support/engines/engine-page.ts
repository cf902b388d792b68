/** One way to drive a page in Chromium, Firefox and WebKit, with no more than the tests need. */
export const ENGINES = ['Chromium', 'Firefox', 'WebKit'] as const;
export type EngineName = (typeof ENGINES)[number];

type Size = { readonly width: number; readonly height: number };

export type EngineOptions = {
  /** Stands still unless this is true. */
  readonly isMoving?: boolean;
  /** Text alone at twice its size, by the visitor's setting. Firefox has it. */
  readonly hasLargeText?: boolean;
};

export type EnginePage = {
  readonly name: EngineName;
  readonly version: string;
  open(url: string): Promise<void>;
  resize(size: Size): Promise<void>;
  /** Runs in the page; arguments and result pass as JSON. */
  evaluate<Given extends readonly unknown[], Result>(
    run: (...given: Given) => Result | Promise<Result>,
    ...given: Given
  ): Promise<Awaited<Result>>;
  click(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  pressTab(): Promise<void>;
  /** The PNG of what is in view. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
};

const POLL_MS = 50;
const MAX_WAIT_MS = 60_000;

/** Waits until `holds` is true in the page, or in the next one if it leads there. */
export async function waitInPage<Given extends readonly unknown[]>(
  page: EnginePage,
  holds: (...given: Given) => boolean,
  ...given: Given
): Promise<void> {
  const endsAt = Date.now() + MAX_WAIT_MS;
  // Between two pages there is none to ask.
  while (!(await page.evaluate(holds, ...given).catch(() => false))) {
    if (Date.now() > endsAt)
      throw new Error(`In ${page.name} this never held: ${holds} with ${JSON.stringify(given)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Waits until the page shows this text, in capitals or not. */
export const waitForText = (page: EnginePage, text: string): Promise<void> =>
  waitInPage(
    page,
    (wanted) => document.body?.innerText.toLowerCase().includes(wanted),
    text.toLowerCase(),
  );

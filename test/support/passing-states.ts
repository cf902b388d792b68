/**
 * What a page shows for seconds only. It is noted in the page as it comes, and read from there, so
 * that no test has to look in time.
 */
import { vi } from 'vitest';

declare global {
  interface Window {
    /** Copies of what was shown, oldest first. */
    noted: Element[] | undefined;
  }
}

/** A page of Playwright, or one in any engine. */
type NotingPage = { evaluate(run: never, given: never): Promise<unknown> };
type Toast = { readonly title: string; readonly description: string | null };

/** Each is noted as it comes, and whenever it changes. */
const PASSING = '.toast-text, [data-copied], [role="status"]';
const PATIENT = { timeout: 60_000 };

const runIn = <Given, Result>(page: NotingPage, run: (given: Given) => Result, given: Given) =>
  page.evaluate(run as never, given as never) as Promise<Result>;

/** From now on, until another document is loaded. */
export async function noteStates(page: NotingPage): Promise<void> {
  await runIn(
    page,
    (passing) => {
      if (window.noted) return;
      const noted: Element[] = [];
      window.noted = noted;
      const last = new WeakMap<Element, string>();
      const note = (element: Element) => {
        if (last.get(element) === element.outerHTML) return;
        last.set(element, element.outerHTML);
        noted.push(element.cloneNode(true) as Element);
      };
      const noteIn = (node: Node) => {
        const element = node instanceof Element ? node : node.parentElement;
        const around = element?.closest(passing);
        if (around) note(around);
        return element;
      };
      for (const element of document.querySelectorAll(passing)) note(element);
      new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) {
          noteIn(target);
          for (const node of addedNodes)
            for (const inside of noteIn(node)?.querySelectorAll(passing) ?? []) note(inside);
        }
      }).observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributeFilter: ['data-copied'],
      });
    },
    PASSING,
  );
}

/** Texts of all that was shown and fits the selector, oldest first. */
export function readNoted(page: NotingPage, selector: string): Promise<string[]> {
  return runIn(
    page,
    (wanted) =>
      (window.noted ?? [])
        .filter((element) => element.matches(wanted))
        .map(({ textContent }) => textContent),
    selector,
  );
}

/** Waits for a toast with this text in its title. Each is taken once, whether it still stands. */
export async function takeToast(page: NotingPage, title = ''): Promise<Toast> {
  const take = (text: string) => {
    const noted = window.noted ?? [];
    const titleOf = (element?: Element) => element?.querySelector('.toast-title')?.textContent;
    const at = noted.findIndex((element) => titleOf(element)?.includes(text));
    const [toast] = at < 0 ? [] : noted.splice(at, 1);
    const description = toast?.querySelector('.toast-description')?.textContent ?? null;
    return toast ? { title: titleOf(toast) ?? '', description } : null;
  };
  return await vi.waitFor(async () => {
    const toast = await runIn(page, take, title);
    if (toast) return toast;
    const others = await readNoted(page, '.toast-text');
    throw new Error(`No toast "${title}" came, but these: ${JSON.stringify(others)}.`);
  }, PATIENT);
}

/** A message of the console stays, as under a pointer, until the function it returns is called. */
export async function holdToasts(page: NotingPage): Promise<() => Promise<void>> {
  const hold = () => {
    const move = () => {
      const event = new Event('pointermove', { bubbles: true });
      document.querySelector('.toast-viewport')?.dispatchEvent(event);
    };
    move();
    return window.setInterval(move, 100);
  };
  const held = await runIn(page, hold, undefined);
  const release = (timer: number) => {
    clearInterval(timer);
    const event = new Event('pointerleave', { bubbles: true });
    document.querySelector('.toast-viewport')?.dispatchEvent(event);
  };
  return () => runIn(page, release, held);
}

/**
 * Waits until a toast that is shown is held. A pointer that moves before its part of the page has
 * begun to listen holds nothing, and its time would go on.
 */
export async function untilToastIsHeld(page: NotingPage): Promise<void> {
  const isHeld = () => {
    const viewport = document.querySelector('.toast-viewport');
    let hasPaused = false;
    viewport?.addEventListener('toast.viewportPause', () => (hasPaused = true), { once: true });
    for (const type of ['pointerleave', 'pointermove'])
      viewport?.dispatchEvent(new Event(type, { bubbles: true }));
    return hasPaused;
  };
  await vi.waitUntil(() => runIn(page, isHeld, undefined), PATIENT);
}

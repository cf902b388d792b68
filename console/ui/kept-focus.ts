import { useEffect } from 'react';

/** Dialogs and sheets give the focus back by themselves first. */
const SETTLED_MS = 100;
const ROW = 'tr[tabindex="0"]';

/** Moves the focus of a removed element to the next row or the top, or Tab would begin anew. */
export function useKeptFocus(): void {
  useEffect(() => {
    let path: Element[] = [];
    let timer = 0;

    function remember(): void {
      path = [];
      for (let element = document.activeElement; element; element = element.parentElement)
        path.push(element);
    }
    function restore(): void {
      const isLost = document.activeElement === document.body && path[0]?.isConnected === false;
      if (!isLost) return;
      const home = path.find((element) => element.isConnected);
      const row = home?.closest('table')?.querySelector<HTMLElement>(ROW);
      const heading = home?.closest('.sheet, dialog')?.querySelector<HTMLElement>('h2');
      const find = (selector: string) => document.querySelector<HTMLElement>(selector);
      const target = row ?? heading ?? find('.sheet h2') ?? find('#main');
      target?.focus();
    }
    const removals = new MutationObserver(() => {
      clearTimeout(timer);
      timer = window.setTimeout(restore, SETTLED_MS);
    });
    removals.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    return () => {
      clearTimeout(timer);
      removals.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
}

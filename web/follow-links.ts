/** Lets plain links to our pages change the page without a new document. Pages write `<a href>`, which works before that too. */
import { navigate } from 'wouter/use-browser-location';
import { readRoute } from './route.ts';

export function followLinks(root: HTMLElement): void {
  root.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.defaultPrevented || !isPlainClick(event) || !isOwnPage(link)) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}

function isPlainClick({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;
}

function isOwnPage({ origin, pathname, hash, target, download }: HTMLAnchorElement): boolean {
  const isHere = origin === location.origin && hash === '' && target === '' && download === '';
  return isHere && readRoute(pathname).page !== 'not-found';
}

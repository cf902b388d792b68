/** Shows the page of the current path. The build prerenders this tree; the browser hydrates it. */
import { useEffect, useState } from 'react';
import { usePathname } from 'wouter/use-browser-location';
import { changePage } from './change-page.ts';
import { getLoadedPage, loadPage } from './page-modules.ts';
import { EMPTY_STATE, type PrerenderedState } from './prerendered-state.ts';
import { readRoute } from './route.ts';
import './styles/site.css';
import { PrerenderedArt } from './ui/inline-art.tsx';
import { ToastSlot } from './ui/toast/toast-slot.tsx';

type AppProps = {
  readonly prerendered: PrerenderedState;
  /** The path of the served document. Its page must be loaded already. */
  readonly firstPath: string;
};

export function App({ prerendered, firstPath }: AppProps) {
  const path = usePathname({ ssrPath: firstPath });
  const [shownPath, setShownPath] = useState(firstPath);

  // The old page stays until the code of the new one has arrived.
  useEffect(() => {
    if (path === shownPath) return;
    const { page } = readRoute(path);
    // Other pages need the server: their art and their head come with the document.
    if (page !== 'status' && path !== firstPath) return location.reload();
    let isWanted = true;
    loadPage(page).then(
      () => isWanted && changePage(page, () => setShownPath(path)),
      // Offline, or a newer build replaced the chunk: the server answers either way.
      () => isWanted && location.reload(),
    );
    return () => {
      isWanted = false;
    };
  }, [path, shownPath, firstPath]);

  const { page, param } = readRoute(shownPath);
  const Page = getLoadedPage(page);
  return (
    <PrerenderedArt value={prerendered.art}>
      {Page && (
        <Page
          key={shownPath}
          param={param}
          prerendered={shownPath === firstPath ? prerendered : EMPTY_STATE}
        />
      )}
      <ToastSlot />
    </PrerenderedArt>
  );
}

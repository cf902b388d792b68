/** The pages behind the address. The same tree is rendered by the prerender and hydrated in the browser. */
import { useEffect, useState } from 'react';
import { usePathname } from 'wouter/use-browser-location';
import { changePage } from './change-page.ts';
import { getLoadedPage, loadPage } from './page-modules.ts';
import { readRoute } from './route.ts';
import { NOTHING_SERVED, type Served } from './served.ts';
import './styles/site.css';
import { ToastSlot } from './ui/toast/toast-slot.tsx';

/** `firstPath` is the path that was served. Its page must be loaded already. */
export function App({ served, firstPath }: { served: Served; firstPath: string }) {
  const path = usePathname({ ssrPath: firstPath });
  const [shownPath, setShownPath] = useState(firstPath);

  // The old page stays until the new one's code is here: for `navigate`, for back and forward alike.
  useEffect(() => {
    if (path === shownPath) return;
    const { page } = readRoute(path);
    // Only the status page is reached without a new document; the others are served, with their art and their head.
    if (page !== 'status' && path !== firstPath) return location.reload();
    let isWanted = true;
    loadPage(page).then(
      () => isWanted && changePage(page, () => setShownPath(path)),
      // The chunk is gone (a newer build) or the network is: the server's own page answers either way.
      () => isWanted && location.reload(),
    );
    return () => {
      isWanted = false;
    };
  }, [path, shownPath, firstPath]);

  const { page, param } = readRoute(shownPath);
  const Page = getLoadedPage(page);
  return (
    <>
      {Page && <Page key={shownPath} param={param} served={shownPath === firstPath ? served : NOTHING_SERVED} />}
      <ToastSlot />
    </>
  );
}

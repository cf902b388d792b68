import { useEffect, useState } from 'react';
import { usePathname } from 'wouter/use-browser-location';
import { changePage } from './change-page.ts';
import { getLoadedPage, loadPage } from './page-modules.ts';
import { EMPTY_STATE, fetchPrerenderedState, type PrerenderedState } from './prerendered-state.ts';
import { readRoute } from './route.ts';
import './styles/site.css';
import { PrerenderedArt } from './ui/inline-art.tsx';
import { ToastSlot } from './ui/toast/toast-slot.tsx';

type AppProps = {
  readonly prerendered: PrerenderedState;
  readonly firstPath: string;
};

export function App({ prerendered, firstPath }: AppProps) {
  const path = usePathname({ ssrPath: firstPath });
  const [shown, setShown] = useState({ path: firstPath, prerendered });

  // The old page stays until the code of the new one has arrived.
  useEffect(() => {
    if (path === shown.path) return;
    const { page } = readRoute(path);
    let isWanted = true;
    async function load(): Promise<PrerenderedState> {
      await loadPage(page);
      if (path === firstPath) return prerendered;
      // The status page draws its own art. The art of other pages comes with their document.
      return page === 'status' ? EMPTY_STATE : await fetchPrerenderedState();
    }
    load().then(
      (state) => isWanted && changePage(page, () => setShown({ path, prerendered: state })),
      // Offline, or a newer build replaced the chunk: the server answers either way.
      () => isWanted && location.reload(),
    );
    return () => {
      isWanted = false;
    };
  }, [path, shown, firstPath, prerendered]);

  const { page, param } = readRoute(shown.path);
  const Page = getLoadedPage(page);
  return (
    <PrerenderedArt value={shown.prerendered.art}>
      {Page && <Page key={shown.path} param={param} prerendered={shown.prerendered} />}
      <ToastSlot />
    </PrerenderedArt>
  );
}

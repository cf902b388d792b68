/** The pages behind one router. The same tree is rendered by the prerender and hydrated in the browser. */
import { useEffect, useReducer, useRef } from 'react';
import { type AroundNavHandler, Router, useLocation } from 'wouter';
import { getLoadedPage, loadPage } from './page-modules.ts';
import { readRoute } from './route.ts';
import { NOTHING_SERVED, type Served } from './served.ts';
import { ToastSlot } from './ui/toast/toast-slot.tsx';
import './styles/site.css';

export function App({
  served,
  path,
  aroundNav,
}: {
  served: Served;
  /** The path to prerender; the browser reads its own. */
  path?: string;
  aroundNav?: AroundNavHandler;
}) {
  return (
    <Router {...(path === undefined ? {} : { ssrPath: path })} {...(aroundNav ? { aroundNav } : {})}>
      <CurrentPage served={served} />
      <ToastSlot />
    </Router>
  );
}

function CurrentPage({ served }: { served: Served }) {
  const [path] = useLocation();
  const { page, param } = readRoute(path);
  const firstPath = useRef(path);
  const Page = getLoadedPage(page);
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);

  // Back and forward do not pass through `aroundNav`, so they can reach a page whose code is not here yet.
  useEffect(() => {
    if (!Page) loadPage(page).then(renderAgain, () => location.reload());
  }, [Page, page]);

  if (!Page) return null;
  return <Page key={path} param={param} served={path === firstPath.current ? served : NOTHING_SERVED} />;
}

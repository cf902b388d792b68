import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Activity, Suspense, useState } from 'react';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { consolePaths } from '../contract/operator/paths.ts';
import { type Me, meQuery, operatorOf } from './api/me.ts';
import { messageOf } from './api/request-error.ts';
import { ChangeNotice } from './parts/changes/change-notice.tsx';
import { ConsoleFrame } from './parts/console-frame.tsx';
import { ScreenBoundary } from './parts/screen-boundary.tsx';
import { SignedIn } from './parts/signed-in.ts';
import { screens } from './routing/screens.tsx';
import { useHash } from './routing/use-hash.ts';
import { NotFoundScreen } from './screens/not-found/not-found-screen.tsx';
import { SIGN_IN_PATH, SignInScreen } from './screens/sign-in/sign-in-screen.tsx';
import { ErrorFace } from './ui/data/faces.tsx';
import { Skeleton } from './ui/data/skeleton.tsx';
import { TooltipProvider } from './ui/layers/tooltip.tsx';
import { ToastLayer } from './ui/toasts/toast-layer.tsx';
import './styles/console.css';

export function App({ queryClient }: { queryClient: QueryClient }) {
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <Router base={consolePaths.home}>
          <Gate />
        </Router>
        <ToastLayer />
      </TooltipProvider>
    </QueryClientProvider>
  );
}

/**
 * Asks for a sign-in wherever the console was opened, and goes on there after it. While the same
 * operator signs in again, the screen stays as it was, hidden, with everything that they wrote.
 */
function Gate() {
  const me = useQuery(meQuery);
  const [location] = useLocation();
  const hasLink = useHash() !== '' && location === SIGN_IN_PATH;
  const [last, setLast] = useState<Me | null>(null);
  const present = me.data && !hasLink ? me.data : null;
  if (present !== null && present !== last) setLast(present);
  const shown = present ?? last;
  const isAsked = present === null && me.data !== undefined;
  return (
    <>
      {isAsked && <SignInScreen last={last} />}
      {shown && (
        <Activity key={operatorOf(shown)} mode={present ? 'visible' : 'hidden'}>
          <SignedIn value={shown}>
            <ChangeNotice>
              <ConsoleFrame me={shown}>
                <Screens />
              </ConsoleFrame>
            </ChangeNotice>
          </SignedIn>
        </Activity>
      )}
      {!shown && !isAsked && (
        <main className="gate">
          <h1 className="visually-hidden">Console</h1>
          {me.isError ? (
            <ErrorFace
              title="The console cannot start"
              message={messageOf(me.error)}
              onRetry={() => me.refetch()}
            />
          ) : (
            <Skeleton />
          )}
        </main>
      )}
    </>
  );
}

function Screens() {
  return (
    <ScreenBoundary>
      <Suspense fallback={<Skeleton lines={6} />}>
        <Switch>
          <Route path="/">
            <Redirect to={screens[0].path} replace />
          </Route>
          <Route path={SIGN_IN_PATH}>
            <Redirect to={screens[0].path} replace />
          </Route>
          {screens.map(({ path, Page }) => (
            <Route key={path} path={path} component={Page} />
          ))}
          <Route component={NotFoundScreen} />
        </Switch>
      </Suspense>
    </ScreenBoundary>
  );
}

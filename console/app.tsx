import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { Activity, Suspense, useEffect, useState } from 'react';
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter';
import type { Me } from '../contract/operator/access.ts';
import { consolePaths } from '../contract/operator/paths.ts';
import { ErrorBoundary } from '../web/ui/error-boundary.tsx';
import { meQuery, operatorOf } from './api/access.ts';
import { messageOf } from './api/request.ts';
import { Layers, SignedIn } from './parts/changes.tsx';
import { ConsoleFrame } from './parts/console-frame.tsx';
import { Screen } from './parts/screen.tsx';
import { useHash } from './routing/location.ts';
import { DOOR_PATH, screensOf } from './routing/screens.tsx';
import { SIGN_IN_PATH, SignInScreen } from './screens/access/sign-in-screen.tsx';
import { TooltipProvider } from './ui/buttons.tsx';
import { EmptyState, ErrorState, Skeleton } from './ui/facts.tsx';
import { KeptFor } from './ui/kept-state.ts';
import { ToastLayer } from './ui/toasts.tsx';
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

/** While the same operator signs in again, the hidden screen keeps everything they wrote. */
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
            <KeptFor value={operatorOf(shown)}>
              <Layers>
                <ConsoleFrame me={shown}>
                  <Screens me={shown} />
                </ConsoleFrame>
              </Layers>
            </KeptFor>
          </SignedIn>
        </Activity>
      )}
      {!shown && !isAsked && (
        <main className="gate">
          <h1 className="visually-hidden">Console</h1>
          {me.isError ? (
            <ErrorState
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

function Screens({ me }: { me: Me }) {
  const [location] = useLocation();
  const screens = screensOf(me);
  const [first] = screens;
  const entrance = <Redirect to={first.path} replace />;
  const isLeaving = useOwnDocument(location);
  if (isLeaving) return <Skeleton />;
  return (
    <ErrorBoundary key={location} fallback={BROKEN}>
      <Suspense fallback={<Skeleton lines={6} />}>
        <Switch>
          {['/', SIGN_IN_PATH].map((path) => (
            <Route key={path} path={path}>
              {entrance}
            </Route>
          ))}
          {screens.map(({ path, Page }) => (
            <Route key={path} path={path} component={Page} />
          ))}
          <Route>{screens.length === 1 ? entrance : <NotFoundScreen first={first} />}</Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}

/** The document of the door alone may use the camera, so the way there and back loads another. */
function useOwnDocument(location: string): boolean {
  const [loaded] = performance.getEntriesByType('navigation');
  const wasDoor = loaded !== undefined && new URL(loaded.name).pathname === consolePaths.door;
  const isLeaving = loaded !== undefined && wasDoor !== (location === DOOR_PATH);
  useEffect(() => {
    if (isLeaving) window.location.reload();
  }, [isLeaving]);
  return isLeaving;
}

/** Stays in the frame when a screen breaks, or its code is gone after an update of the server. */
const BROKEN = (
  <ErrorState
    title="This screen does not work"
    message="The console may have been updated, or the connection is gone. Load it again."
    onRetry={() => location.reload()}
  />
);

function NotFoundScreen({ first: { path, label } }: { first: { path: string; label: string } }) {
  return (
    <Screen title="Not found">
      <EmptyState
        title="The console has no such screen"
        action={
          <Link href={path} className="button button-secondary">
            {`Go to ${label}`}
          </Link>
        }
      >
        The address may be mistyped, or from another version.
      </EmptyState>
    </Screen>
  );
}

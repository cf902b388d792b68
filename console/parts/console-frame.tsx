import { useQuery } from '@tanstack/react-query';
import Keyboard from 'lucide-react/icons/keyboard';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { brand } from '../../brand/brand.ts';
import type { Me } from '../../contract/operator/access.ts';
import { waitingCreditsQuery } from '../api/fairness.ts';
import { CREDITS_PATH, screensOf } from '../routing/screens.tsx';
import { IconButton } from '../ui/buttons.tsx';
import { AppFrame } from '../ui/frame.tsx';
import { HelpDialog, type ShortcutGroups } from '../ui/help-dialog.tsx';
import { useKeptFocus } from '../ui/kept-focus.ts';
import { useShortcuts } from '../ui/shortcuts.ts';

const shortcutsOf = (screens: ReturnType<typeof screensOf>): ShortcutGroups => ({
  Anywhere: [
    ['/', 'Search'],
    ['?', 'This overview'],
    ['u', 'Undo the change that was just told'],
    ['F8', 'To the message'],
    ['Esc', 'Close what is open'],
  ],
  'Go to': screens.map(({ key, label }) => [`g ${key}`, label] as const),
  'In a list': [
    ['j', 'Next row'],
    ['k', 'Previous row'],
    ['Enter', 'Open the row'],
    ['Space', 'Select the row'],
    ['f', 'Filter the members'],
  ],
  'Beside friends to check': [
    ['a', 'See what approving all would change'],
    ['x', 'See what refusing all would change'],
    ['h', 'Check every new friend, or no longer'],
  ],
  'In a dialog': [['Ctrl Enter', 'Confirm']],
});

export function ConsoleFrame({ me, children }: { me: Me; children: ReactNode }) {
  const [location, navigate] = useLocation();
  const [isHelpShown, setHelpShown] = useState(false);
  const showHelp = () => setHelpShown(true);
  const screens = screensOf(me);
  useKeptFocus();
  const goShortcuts = useMemo(
    () =>
      Object.fromEntries(screensOf(me).map(({ key, path }) => [`g ${key}`, () => navigate(path)])),
    [me, navigate],
  );
  useShortcuts({
    ...goShortcuts,
    '?': showHelp,
    '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
  });

  // A change of screens is announced, and Tab goes on in the new one.
  const lastPath = useRef(location);
  useEffect(() => {
    if (lastPath.current !== location) document.getElementById('main')?.focus();
    lastPath.current = location;
  }, [location]);

  const credits = useQuery({ ...waitingCreditsQuery, enabled: me.role !== 'door' });
  const waiting = credits.data?.credits ?? 0;
  const current = screens.find(({ path }) => `${location}/`.startsWith(`${path}/`));
  return (
    <>
      <AppFrame
        name={brand.name}
        destinations={screens.map((screen) => ({
          ...screen,
          waiting: screen.path === CREDITS_PATH ? waiting : 0,
        }))}
        current={current?.path ?? null}
        onGo={navigate}
        account={
          <>
            <p className="account-name">
              <span>{me.name}</span>
              <span className="label">{me.role ?? me.kind}</span>
            </p>
            <IconButton
              label="Keyboard shortcuts"
              icon={<Keyboard aria-hidden="true" size={18} />}
              onClick={showHelp}
            />
          </>
        }
      >
        {children}
      </AppFrame>
      {isHelpShown && (
        <HelpDialog groups={shortcutsOf(screens)} onClose={() => setHelpShown(false)} />
      )}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { brand } from '../../brand/brand.ts';
import { waitingCreditsQuery } from '../api/credits/credits.ts';
import type { Me } from '../api/me.ts';
import { CREDITS_PATH, screens } from '../routing/screens.tsx';
import { AppFrame } from '../ui/frame/app-frame.tsx';
import { HelpDialog, type ShortcutGroup } from '../ui/keyboard/help-dialog.tsx';
import { useKeptFocus } from '../ui/keyboard/use-kept-focus.ts';
import { useShortcuts } from '../ui/keyboard/use-shortcuts.ts';
import { Account } from './account.tsx';

const groups: readonly ShortcutGroup[] = [
  {
    title: 'Anywhere',
    shortcuts: [
      ['/', 'Search'],
      ['?', 'This overview'],
      ['u', 'Undo the change that was just told'],
      ['F8', 'To the message'],
      ['Esc', 'Close what is open'],
    ],
  },
  { title: 'Go to', shortcuts: screens.map(({ key, label }) => [`g ${key}`, label] as const) },
  {
    title: 'In a list',
    shortcuts: [
      ['j', 'Next row'],
      ['k', 'Previous row'],
      ['Enter', 'Open the row'],
      ['Space', 'Select the row'],
      ['f', 'Filter the members'],
    ],
  },
  {
    title: 'Beside a code with held credits',
    shortcuts: [
      ['a', 'Approve all'],
      ['x', 'Refuse all'],
      ['h', 'Hold further credits, or release the code'],
    ],
  },
  {
    title: 'In a dialog',
    shortcuts: [['Ctrl Enter', 'Confirm']],
  },
];

/** The frame around all screens of a signed-in person, and the shortcuts that work in all. */
export function ConsoleFrame({ me, children }: { me: Me; children: ReactNode }) {
  const [location, navigate] = useLocation();
  const [isHelpShown, setHelpShown] = useState(false);
  useKeptFocus();
  const goShortcuts = useMemo(
    () => Object.fromEntries(screens.map(({ key, path }) => [`g ${key}`, () => navigate(path)])),
    [navigate],
  );
  useShortcuts({
    ...goShortcuts,
    '?': () => setHelpShown(true),
    '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
  });

  // A change of screens is announced, and Tab goes on in the new one.
  const lastPath = useRef(location);
  useEffect(() => {
    if (lastPath.current !== location) document.getElementById('main')?.focus();
    lastPath.current = location;
  }, [location]);

  const waiting = useQuery(waitingCreditsQuery).data?.credits ?? 0;
  const places = screens.map((screen) => ({
    ...screen,
    waiting: screen.path === CREDITS_PATH ? waiting : 0,
  }));
  const current = screens.find(({ path }) => `${location}/`.startsWith(`${path}/`));
  return (
    <>
      <AppFrame
        name={brand.name}
        places={places}
        current={current?.path ?? null}
        onGo={navigate}
        account={<Account me={me} onHelp={() => setHelpShown(true)} />}
      >
        {children}
      </AppFrame>
      {isHelpShown && <HelpDialog groups={groups} onClose={() => setHelpShown(false)} />}
    </>
  );
}

import Ellipsis from 'lucide-react/icons/ellipsis';
import Keyboard from 'lucide-react/icons/keyboard';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'wouter';
import { brand } from '../../brand/brand.ts';
import type { Me } from '../../contract/operator/access.ts';
import { screensOf } from '../routing/screens.tsx';
import { IconButton } from '../ui/buttons.tsx';
import { Dialog } from '../ui/dialogs.tsx';
import { DropdownMenu } from '../ui/dropdown-menu.tsx';
import { Banner } from '../ui/facts.tsx';
import { Checkbox } from '../ui/fields.tsx';
import { useKeptFocus } from '../ui/kept-focus.ts';
import {
  areShortcutsOn,
  subscribeToSwitch,
  switchShortcuts,
  useShortcuts,
} from '../ui/shortcuts.ts';
import { ActionButton, useShow } from './changes.tsx';
import { changeForm } from './forms.tsx';

const thisIsTheLine = changeForm({
  title: 'This is the line',
  want: { kind: 'this-is-the-line', input: {} },
  undoNote: 'You can stop it again for 24 hours. What has left by then stays sent.',
});

export function ConsoleFrame({ me, children }: { me: Me; children: ReactNode }) {
  const [location, navigate] = useLocation();
  const show = useShow();
  const screens = screensOf(me);
  useKeptFocus();
  const showHelp = () => show((close) => <HelpDialog screens={screens} onClose={close} />);
  useShortcuts({
    ...Object.fromEntries(screens.map(({ key, path }) => [`g ${key}`, () => navigate(path)])),
    '?': showHelp,
    '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
  });

  // A change of screens is announced, and Tab goes on in the new one.
  const lastPath = useRef(location);
  useEffect(() => {
    if (lastPath.current !== location) document.getElementById('main')?.focus();
    lastPath.current = location;
  }, [location]);

  const isCurrent = ({ path }: { path: string }) => `${location}/`.startsWith(`${path}/`);
  const rare = screens.filter(({ isFrequent }) => !isFrequent);
  return (
    <div className="frame">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="frame-side">
        <p className="frame-name">{brand.name}</p>
        <nav className="frame-nav" aria-label="Screens" hidden={screens.length === 1}>
          {screens.map((screen) => (
            <Link
              key={screen.path}
              href={screen.path}
              className="nav-item"
              data-frequent={screen.isFrequent}
              aria-current={isCurrent(screen) ? 'page' : undefined}
            >
              {screen.icon}
              <span>{screen.label}</span>
            </Link>
          ))}
          <DropdownMenu
            trigger={
              <button
                type="button"
                className="nav-item nav-more"
                data-current={rare.some(isCurrent)}
              >
                <Ellipsis aria-hidden="true" size={18} />
                <span>More</span>
              </button>
            }
            groups={[
              rare.map(({ path, label, icon }) => ({
                label,
                icon,
                onSelect: () => navigate(path),
              })),
            ]}
          />
        </nav>
        <div className="frame-account">
          <p className="account-name">
            <span>{me.name}</span>
            <span className="label">{me.role ?? me.kind}</span>
          </p>
          <IconButton
            label="Keyboard shortcuts"
            icon={<Keyboard aria-hidden="true" size={18} />}
            onClick={showHelp}
          />
        </div>
      </header>
      <main id="main" className="frame-main" tabIndex={-1}>
        {me.may_be_copy !== null && (
          <Banner tone="ember" action={<ActionButton dialog={thisIsTheLine} />}>
            {me.may_be_copy}
          </Banner>
        )}
        {children}
      </main>
    </div>
  );
}

type HelpDialogProps = {
  readonly screens: ReturnType<typeof screensOf>;
  readonly onClose: () => void;
};

function HelpDialog({ screens, onClose }: HelpDialogProps) {
  const isOn = useSyncExternalStore(subscribeToSwitch, areShortcutsOn, areShortcutsOn);
  const groups = {
    Anywhere: ANYWHERE,
    'Go to': screens.map(({ key, label }) => [`g ${key}`, label]),
    ...IN_PLACES,
  };
  return (
    <Dialog title="Keyboard" isWide onClose={onClose}>
      <div className="help-groups">
        {Object.entries(groups).map(([title, shortcuts]) => (
          <section key={title}>
            <h3 className="label">{title}</h3>
            <dl className="shortcuts">
              {shortcuts.map(([keys = '', effect]) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{effect}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Checkbox
        label="Single-key shortcuts in this browser"
        checked={isOn}
        onChange={switchShortcuts}
      />
    </Dialog>
  );
}

const ANYWHERE = [
  ['/', 'Search'],
  ['?', 'This overview'],
  ['u', 'Undo the change that was just told'],
  ['F8', 'To the message'],
  ['Esc', 'Close what is open'],
];

const IN_PLACES = {
  'In a list': [
    ['j', 'Next row'],
    ['k', 'Previous row'],
    ['Enter', 'Open the row'],
    ['Space', 'Select the row'],
    ['f', 'Filter the members'],
  ],
  'Beside one of the first in line': [['l', 'Note that you looked, and open the next']],
  'In a dialog': [['Ctrl Enter', 'Confirm']],
};

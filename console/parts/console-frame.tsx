import Ellipsis from 'lucide-react/icons/ellipsis';
import Keyboard from 'lucide-react/icons/keyboard';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { brand } from '../../brand/brand.ts';
import type { Me } from '../../contract/operator/access.ts';
import { screensOf } from '../routing/screens.tsx';
import { IconButton } from '../ui/buttons.tsx';
import { DropdownMenu } from '../ui/dropdown-menu.tsx';
import { useKeptFocus } from '../ui/kept-focus.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Banner } from '../ui/states.tsx';
import { ActionButton, useShow } from './changes.tsx';
import { changeForm } from './forms.tsx';
import { HelpDialog } from './help-dialog.tsx';

const THIS_IS = 'This is the line';

const thisIsTheLine = changeForm({
  title: THIS_IS,
  confirmLabel: THIS_IS,
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
          <Banner tone="ember" action={<ActionButton label={THIS_IS} dialog={thisIsTheLine} />}>
            {me.may_be_copy}
          </Banner>
        )}
        {children}
      </main>
    </div>
  );
}

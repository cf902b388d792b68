import Ellipsis from 'lucide-react/icons/ellipsis';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { DropdownMenu } from '../layers/dropdown-menu.tsx';
import { formatCount } from '../text/numbers.ts';

type Place = {
  /** Below /console. */
  readonly path: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** Has a place in the bar of a phone; the others are behind More. */
  readonly isFrequent: boolean;
  /** How much waits there for somebody; 0 by default. */
  readonly waiting?: number;
};

type AppFrameProps = {
  /** Whose console it is. */
  readonly name: string;
  readonly places: readonly Place[];
  /** Path of the place in view; null: none of them. */
  readonly current: string | null;
  readonly onGo: (path: string) => void;
  /** At the foot of the sidebar: the account and help. */
  readonly account: ReactNode;
  readonly children: ReactNode;
};

/** A sidebar on a desk, bars at top and bottom on a phone. */
export function AppFrame({ name, places, current, onGo, account, children }: AppFrameProps) {
  const others = places.filter(({ isFrequent }) => !isFrequent);
  return (
    <div className="frame">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="frame-side">
        <p className="frame-name">{name}</p>
        <nav className="frame-places" aria-label="Screens">
          {places.map(({ path, label, icon, isFrequent, waiting = 0 }) => (
            <Link
              key={path}
              href={path}
              className="place"
              data-frequent={isFrequent}
              aria-current={path === current ? 'page' : undefined}
            >
              {icon}
              <span>{label}</span>
              {waiting > 0 && <span className="place-count">{formatCount(waiting)}</span>}
            </Link>
          ))}
          {others.length > 0 && (
            <DropdownMenu
              trigger={
                <button
                  type="button"
                  className="place place-more"
                  data-current={others.some(({ path }) => path === current)}
                >
                  <Ellipsis aria-hidden="true" size={18} />
                  <span>More</span>
                </button>
              }
              groups={[
                others.map(({ path, label, icon, waiting = 0 }) => ({
                  label: waiting > 0 ? `${label} (${formatCount(waiting)})` : label,
                  icon,
                  onSelect: () => onGo(path),
                })),
              ]}
            />
          )}
        </nav>
        <div className="frame-account">{account}</div>
      </header>
      <main id="main" className="frame-main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

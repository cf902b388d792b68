import Ellipsis from 'lucide-react/icons/ellipsis';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import { DropdownMenu } from './dropdown-menu.tsx';
import { formatCount } from './formats.ts';

type Destination = {
  readonly path: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly isFrequent: boolean;
  readonly waiting?: number;
};

type AppFrameProps = {
  readonly name: string;
  readonly destinations: readonly Destination[];
  readonly current: string | null;
  readonly onGo: (path: string) => void;
  readonly account: ReactNode;
  readonly children: ReactNode;
};

export function AppFrame({ name, destinations, current, onGo, account, children }: AppFrameProps) {
  const rare = destinations.filter(({ isFrequent }) => !isFrequent);
  return (
    <div className="frame">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="frame-side">
        <p className="frame-name">{name}</p>
        <nav className="frame-nav" aria-label="Screens" hidden={destinations.length === 1}>
          {destinations.map(({ path, label, icon, isFrequent, waiting = 0 }) => (
            <Link
              key={path}
              href={path}
              className="nav-item"
              data-frequent={isFrequent}
              aria-current={path === current ? 'page' : undefined}
            >
              {icon}
              <span>{label}</span>
              {waiting > 0 && <span className="nav-count">{formatCount(waiting)}</span>}
            </Link>
          ))}
          {rare.length > 0 && (
            <DropdownMenu
              trigger={
                <button
                  type="button"
                  className="nav-item nav-more"
                  data-current={rare.some(({ path }) => path === current)}
                >
                  <Ellipsis aria-hidden="true" size={18} />
                  <span>More</span>
                </button>
              }
              groups={[
                rare.map(({ path, label, icon, waiting = 0 }) => ({
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

type PageHeaderProps = {
  readonly title: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
};

export function PageHeader({ title, note, actions }: PageHeaderProps) {
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {note && <p className="quiet">{note}</p>}
      </div>
      {actions && <div className="actions">{actions}</div>}
    </header>
  );
}

export function Section({
  title,
  note,
  actions,
  children,
}: PageHeaderProps & { children: ReactNode }) {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <header className="section-head">
        <h2 id={id}>{title}</h2>
        {note && <p className="quiet">{note}</p>}
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { Fragment, type ReactNode, useId, useSyncExternalStore } from 'react';
import { copyText } from '../../web/ui/clipboard.ts';
import { useCopied } from '../../web/ui/use-copied.ts';
import { Button, Tooltip } from './buttons.tsx';
import { formatMoment, formatRelative } from './formats.ts';
import { showFailure } from './toasts.tsx';

const STEP_MS = 15_000;

/** Charged: live or given. Edge: waiting. Ember: failed. Plain: over, or of no consequence. */
export type Tone = 'plain' | 'edge' | 'charged' | 'ember';

export function Pill({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`pill pill-${tone}`}>{children}</span>;
}

type StatProps = {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly isCharged?: boolean;
};

export function Stat({ label, value, note, isCharged = false }: StatProps) {
  return (
    <div className="stat">
      <dt className="label">{label}</dt>
      <dd className={`stat-value ${isCharged ? 'charged' : ''}`}>{value}</dd>
      {note !== undefined && <dd className="stat-note">{note}</dd>}
    </div>
  );
}

export function StatRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label}>
      <dl className="stat-row">{children}</dl>
    </section>
  );
}

type Entries = Readonly<Record<string, ReactNode>> | readonly (readonly [string, ReactNode])[];

/** A value of null is a dash; an entry whose value is undefined is left out. */
export function KeyValues({ entries }: { entries: Entries }) {
  // Numbers as keys of an object would change their order.
  const shown: [string, ReactNode][] = Array.isArray(entries) ? entries : Object.entries(entries);
  return (
    <dl className="key-values">
      {shown.map(
        ([key, value]) =>
          value !== undefined && (
            <Fragment key={key}>
              <dt>{key}</dt>
              <dd>{value ?? <span className="quiet">—</span>}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

export function CodeText({ label, value }: { label: string; value: string }) {
  const copied = useCopied();

  async function copy(): Promise<void> {
    if (await copyText(value)) copied.raise();
    else showFailure('Copy failed', 'The browser does not allow it. Select the text instead.');
  }

  const Icon = copied.isRaised ? Check : Copy;
  return (
    <span className="code-text">
      <code>{value}</code>
      <button
        type="button"
        className="icon-button"
        aria-label={`Copy ${label}`}
        data-copied={copied.isRaised}
        onClick={copy}
      >
        <Icon aria-hidden="true" size={15} />
      </button>
      <span className="visually-hidden" role="status">
        {copied.isRaised ? 'Copied' : ''}
      </span>
    </span>
  );
}

/** An e-mail address that breaks before its domain where it must. */
export function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@');
  return (
    <span translate="no">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  );
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, STEP_MS);
  return () => clearInterval(timer);
}

/** Moves in steps, so that the snapshot is the same while nothing has passed. */
const readNow = () => Math.floor(Date.now() / STEP_MS) * STEP_MS;

export function RelativeTime({ at }: { at: string }) {
  const now = useSyncExternalStore(subscribe, readNow, readNow);
  return (
    <Tooltip text={formatMoment(at)}>
      <time dateTime={at} className="relative-time">
        {formatRelative(at, now)}
      </time>
    </Tooltip>
  );
}

export type SectionProps = {
  readonly title: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export function Section({ title, note, actions, children }: SectionProps) {
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

type FactsSectionProps = Omit<SectionProps, 'children'> & { readonly entries: Entries };

export const FactsSection = ({ entries, ...section }: FactsSectionProps) => (
  <Section {...section}>
    <KeyValues entries={entries} />
  </Section>
);

type Item = {
  readonly key: string;
  readonly name: ReactNode;
  readonly at?: string | null;
  /** What stands beside the name and the time. */
  readonly more?: ReactNode;
  readonly note?: string | null;
};

type ItemListProps = {
  readonly label?: string;
  readonly items: readonly Item[];
  readonly none?: string;
};

export function ItemList({ label, items, none = 'None.' }: ItemListProps) {
  if (items.length === 0) return <p className="quiet">{none}</p>;
  return (
    <ul className="item-list" aria-label={label}>
      {items.map(({ key, name, at, more, note }) => (
        <li key={key}>
          <span>{name}</span>
          {at && <RelativeTime at={at} />}
          {more}
          {note && <p className="quiet">{note}</p>}
        </li>
      ))}
    </ul>
  );
}

type EmptyStateProps = {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
};

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="state">
      <p>{title}</p>
      {children && <p className="state-text">{children}</p>}
      {action}
    </div>
  );
}

type ErrorStateProps = {
  readonly title?: string;
  readonly message: string;
  readonly onRetry: () => void;
};

export function ErrorState({
  title = 'This could not be loaded',
  message,
  onRetry,
}: ErrorStateProps) {
  return (
    <div className="state state-error" role="alert">
      <p>{title}</p>
      <p className="state-text">{message}</p>
      <Button onClick={onRetry}>Retry</Button>
    </div>
  );
}

export function Skeleton({ lines = 3, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <div className="skeleton">
      <span className="visually-hidden" role="status">
        {label}
      </span>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <i key={index} aria-hidden="true" />
      ))}
    </div>
  );
}

type BannerProps = {
  readonly tone?: 'plain' | 'charged' | 'ember';
  readonly action?: ReactNode;
  readonly children: ReactNode;
};

export function Banner({ tone = 'plain', action, children }: BannerProps) {
  return (
    <div className={`banner banner-${tone}`} role="status">
      <p>{children}</p>
      {action}
    </div>
  );
}

import type { ReactNode } from 'react';
import type { OverviewHealth } from '../../../contract/operator/overview.ts';
import { KeyValues } from '../../ui/data/key-values.tsx';
import { Pill } from '../../ui/data/pill.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { formatBytes, formatCount } from '../../ui/text/numbers.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { formatWait } from './overview-words.ts';

const ENGINES = { embedded: 'Embedded', postgres: 'PostgreSQL' } as const;

/** Stock, mail, guards and data. What needs a look is marked. */
export function HealthSections({ health }: { health: OverviewHealth }) {
  const { masks, mail, guard, database, backup } = health;
  return (
    <div className="overview-health">
      <Section title="Stock" note="Available of stock, per size.">
        <KeyValues
          entries={[
            ...masks.sizes.map(
              ({ name, stock, available }) =>
                [name, `${formatCount(available)} of ${formatCount(stock)}`] as const,
            ),
            [
              'Promised',
              `${formatCount(masks.promised)}, ${formatCount(masks.available)} available`,
            ],
          ]}
        />
      </Section>
      <Section title="Mail" note="Mails of the last 24 hours; addresses of all times.">
        <KeyValues
          entries={[
            ['Sent', formatCount(mail.sent)],
            ['Waiting', <Waiting key="waiting" mail={mail} />],
            ['Failing', marked(mail.failing, 'tried again')],
            ['Refused', marked(mail.refused + mail.given_up, 'never arrived')],
            ['Unsubscribed', formatCount(mail.stopped)],
            ['Bounced', formatCount(mail.bounced)],
            ['Complained', formatCount(mail.complained)],
          ]}
        />
      </Section>
      <Section title="Guards" note="Joins of the last 24 hours.">
        <KeyValues
          entries={[
            ['Over a limit', formatCount(guard.limited)],
            ['Asked for a proof', formatCount(guard.proofs_asked)],
            ['Brought a proof', formatCount(guard.proofs_brought)],
          ]}
        />
      </Section>
      <Section title="Data" note="The database and its last backup.">
        <KeyValues
          entries={[
            ['Database', `${ENGINES[database.engine]}, ${formatBytes(database.bytes)}`],
            ['Last backup', <LastBackup key="backup" backup={backup} />],
          ]}
        />
      </Section>
    </div>
  );
}

function Waiting({ mail: { waiting, oldest_seconds } }: Pick<OverviewHealth, 'mail'>) {
  if (waiting === 0) return '0';
  return `${formatCount(waiting)}, for ${formatWait(Math.round(oldest_seconds / 60))}`;
}

function marked(count: number, what: string): ReactNode {
  if (count === 0) return '0';
  return (
    <Pill tone="ember">
      {formatCount(count)} {what}
    </Pill>
  );
}

function LastBackup({ backup: { succeeded_at, failed_at } }: Pick<OverviewHealth, 'backup'>) {
  const isFailed = failed_at !== null && failed_at > (succeeded_at ?? '');
  if (succeeded_at === null && !isFailed) return <Pill tone="ember">Never</Pill>;
  return (
    <span>
      {succeeded_at === null ? 'Never' : <RelativeTime at={succeeded_at} />}{' '}
      {isFailed && <Pill tone="ember">The last one failed</Pill>}
    </span>
  );
}

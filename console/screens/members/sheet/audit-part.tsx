import type { AuditEntry } from '../../../../contract/operator/changes.ts';
import { Section } from '../../../ui/frame/section.tsx';
import { RelativeTime } from '../../../ui/text/relative-time.tsx';

/** What operators did about a member, newest first. */
export function AuditPart({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <Section title="Changes">
      {entries.length === 0 ? (
        <p className="quiet">No operator has changed anything.</p>
      ) : (
        <ul className="note-list">
          {entries.map(({ number, actor, at, summary, reason, undone_by }) => (
            <li key={number}>
              <p className="note-head">
                <span>{actor.name}</span>
                <RelativeTime at={at} />
                {undone_by !== null && <span>undone</span>}
              </p>
              <p>{summary}</p>
              {reason !== null && <p className="quiet">{reason}</p>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

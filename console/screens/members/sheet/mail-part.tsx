import type { MemberMail } from '../../../../contract/operator/mails.ts';
import { MAIL_LABELS } from '../../../parts/member-filter/filter-rules.ts';
import { Pill } from '../../../ui/data/pill.tsx';
import { Section } from '../../../ui/frame/section.tsx';
import { RelativeTime } from '../../../ui/text/relative-time.tsx';
import { formatDay } from '../../../ui/text/times.ts';

/** Labels and colours of mail outcomes; unknown ones are shown as they are. */
const FATES: Readonly<Record<string, readonly [string, 'plain' | 'edge' | 'charged' | 'ember']>> = {
  waiting: ['Waiting', 'edge'],
  sent: ['Sent', 'charged'],
  refused: ['Refused', 'ember'],
  given_up: ['Given up', 'ember'],
  suppressed: ['Held back', 'plain'],
  obsolete: ['No longer true', 'plain'],
};

/** The kinds of mails; unknown ones are shown as they are. */
const KINDS: Readonly<Record<string, string>> = {
  welcome: 'Welcome',
  confirm: 'Confirmation',
  'status-link': 'Status link',
  friends: 'New friends',
  tier: 'Tier reached',
  reward: 'Reward asked about',
  top100: 'Top of the line',
  offer: 'Mask offered',
  'offer-reminder': 'Offer ends soon',
  pass: 'Pass given',
  'offer-ended': 'Offer ended with the drop',
  'not-chosen': 'No mask this time',
  campaign: 'Campaign',
};

/** Whether a member is mailed, and their mails of the last days with their fate. */
export function MailPart({ mail: { state, since, mails } }: { mail: MemberMail }) {
  const off = since === null ? '' : `Off since ${formatDay(since)}: `;
  const note = state === 'sending' ? 'On' : `${off}${MAIL_LABELS[state].toLowerCase()}`;
  return (
    <Section title="Mail" note={note}>
      {mails.length === 0 ? (
        <p className="quiet">None in the last days.</p>
      ) : (
        <ul className="mail-list">
          {mails.map((mail) => {
            const [words, tone] = FATES[mail.state] ?? [mail.state, 'plain'];
            return (
              <li key={`${mail.kind} ${mail.queued_at}`}>
                <span>{KINDS[mail.kind] ?? mail.kind}</span>
                <RelativeTime at={mail.ended_at ?? mail.queued_at} />
                <Pill tone={tone}>{words}</Pill>
                {mail.cause && <p className="quiet">{mail.cause}</p>}
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}

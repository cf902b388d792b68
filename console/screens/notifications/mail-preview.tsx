import { useState } from 'react';
import type { Campaign } from '../../../contract/operator/mail/campaigns.ts';
import { pathOf, useRead } from '../../api/queries.ts';
import { QueryContent } from '../../parts/screen.tsx';
import { Section } from '../../ui/facts.tsx';
import { Segmented } from '../../ui/fields.tsx';

const VIEWS = { desk: 'Desk', phone: 'Phone', text: 'Text' };

export function MailPreview({ campaign }: { campaign: Campaign }) {
  const [view, setView] = useState('desk');
  const { campaign: number, revision } = campaign;
  const shown = { at: [number], query: { revision } } as const;
  const text = useRead('GET campaignPreview', shown);
  return (
    <Section
      title="Preview"
      note="With made-up numbers."
      actions={<Segmented label="View" options={VIEWS} value={view} onChange={setView} />}
    >
      <QueryContent query={text} lines={10}>
        {(mail) => (
          <>
            <p className="mail-subject">{mail.subject}</p>
            {view === 'text' ? (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard.
              <pre className="mail-text" tabIndex={0}>
                {mail.text}
              </pre>
            ) : (
              <iframe
                title="The mail as HTML"
                className="mail-frame"
                data-view={view}
                sandbox="allow-popups allow-popups-to-escape-sandbox"
                src={pathOf('GET campaignHtml', shown)}
              />
            )}
          </>
        )}
      </QueryContent>
    </Section>
  );
}

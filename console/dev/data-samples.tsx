import { Button } from '../ui/controls/button.tsx';
import { Banner } from '../ui/data/banner.tsx';
import { CodeText } from '../ui/data/code-text.tsx';
import { EmptyFace, ErrorFace } from '../ui/data/faces.tsx';
import { KeyValues } from '../ui/data/key-values.tsx';
import { Pill } from '../ui/data/pill.tsx';
import { Skeleton } from '../ui/data/skeleton.tsx';
import { Stat, StatRow } from '../ui/data/stat.tsx';
import { Section } from '../ui/frame/section.tsx';
import { formatBytes, formatCount, formatShare } from '../ui/text/numbers.ts';
import { RelativeTime } from '../ui/text/relative-time.tsx';
import { formatMoment } from '../ui/text/times.ts';

export const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

export function DataSamples() {
  return (
    <>
      <Section title="Banners">
        <Banner>Joining is paused since this morning.</Banner>
        <Banner tone="charged">The import is done: 4,812 members are in line.</Banner>
        <Banner tone="ember" action={<Button>Retry</Button>}>
          Not up to date: The server cannot be reached. Check your connection.
        </Banner>
      </Section>
      <Section title="Numbers">
        <StatRow label="The line">
          <Stat label="Members" value={formatCount(12_380)} note="+214 today" isCharged />
          <Stat label="By members" value={formatShare(0.384)} note="4,754 of 12,380" />
          <Stat label="First friend" value="2 h 10 min" note="median" />
          <Stat label="Database" value={formatBytes(48_200_000)} />
          <Stat label="Mails waiting" value={undefined} />
        </StatRow>
      </Section>
      <Section title="One thing">
        <div className="sample-columns">
          <KeyValues
            entries={[
              [
                'State',
                <Pill key="state" tone="charged">
                  Confirmed
                </Pill>,
              ],
              ['Address', 'a.rather.long.address.of.somebody@mail.example.com'],
              ['Joined', <RelativeTime key="joined" at={ago(3)} />],
              ['Confirmed', formatMoment(ago(2))],
              ['Invited by', null],
              ['Code', <CodeText key="code" label="the code" value="GH05T1GH05" />],
              [
                'Id',
                <CodeText key="id" label="the id" value="3f0f5a52-2a52-4f0e-9d3e-6f5f3b1d2c11" />,
              ],
            ]}
          />
          <div className="sample-stack">
            <div className="sample-row">
              <Pill>Released</Pill>
              <Pill tone="edge">Waiting</Pill>
              <Pill tone="charged">Given</Pill>
              <Pill tone="ember">Bounced</Pill>
            </div>
            <Skeleton />
            <EmptyFace title="No members yet" action={<Button>Import a list</Button>}>
              Members appear here as soon as they join.
            </EmptyFace>
            <ErrorFace message="The server has not answered in 15 seconds." onRetry={() => {}} />
          </div>
        </div>
      </Section>
    </>
  );
}

import type { ChangePreview } from '../../contract/operator/changes.ts';

type TimelineProps = NonNullable<ChangePreview['timeline']>;

const DAY_MS = 86_400_000;
/** A day that has no room for its name before the end has its line alone. */
const LABEL_SHARE = 0.18;

/** Days begin at the lines, in the time zone of the browser. The sentences say the same. */
export function Timeline({ from, until, rows }: TimelineProps) {
  const [begin, end] = [Date.parse(from), Date.parse(until)];
  const share = (ms: number) => `${(100 * ms) / Math.max(1, end - begin)}%`;
  const days = midnights(begin, end);
  return (
    <div className="timeline" aria-hidden="true">
      <div className="timeline-days">
        {days.map((at) => (
          <span key={at} style={{ left: share(at - begin) }}>
            {end - at > LABEL_SHARE * (end - begin) && DAY.format(at)}
          </span>
        ))}
      </div>
      {rows.map(({ label, is_night, spans }) => (
        <div key={label} className={is_night ? 'timeline-night' : 'timeline-wave'}>
          <span>{label}</span>
          <div className="timeline-track">
            {days.map((at) => (
              <i key={at} style={{ left: share(at - begin) }} />
            ))}
            {spans.map((span) => {
              const at = Date.parse(span.from);
              const width = share(Date.parse(span.until) - at);
              return (
                <b key={span.from} style={{ left: share(at - begin), width }}>
                  {span.text}
                </b>
              );
            })}
          </div>
        </div>
      ))}
    </div>
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' });

function midnights(begin: number, end: number): number[] {
  const first = new Date(begin).setHours(24, 0, 0, 0);
  const days = Math.max(0, Math.ceil((end - first) / DAY_MS));
  return Array.from({ length: days }, (_, day) => first + day * DAY_MS);
}

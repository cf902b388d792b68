type Span = { readonly from: string; readonly until: string; readonly text: string };

type TimelineProps = {
  readonly from: string;
  readonly until: string;
  readonly rows: readonly {
    readonly label: string;
    readonly is_night: boolean;
    readonly spans: readonly Span[];
  }[];
};

const WIDTH = 640;
const LABELS = 150;
const ROW = 20;
const DAY_MS = 86_400_000;

/** Days begin at the lines, in the time zone of the browser. The sentences say the same. */
export function Timeline({ from, until, rows }: TimelineProps) {
  const begin = Date.parse(from);
  const scale = (WIDTH - LABELS) / Math.max(1, Date.parse(until) - begin);
  const placeOf = (at: number) => LABELS + (at - begin) * scale;
  const height = (rows.length + 1) * ROW;
  return (
    <svg className="timeline" viewBox={`0 0 ${WIDTH} ${height}`} aria-hidden="true">
      {midnights(begin, Date.parse(until)).map((at) => (
        <g key={at}>
          <path className="timeline-day" d={`M${placeOf(at)} 0V${height}`} />
          <text className="timeline-label" x={placeOf(at) + 4} y={ROW - 6}>
            {DAY.format(at)}
          </text>
        </g>
      ))}
      {rows.map(({ label, is_night, spans }, index) => (
        <g key={label} transform={`translate(0 ${(index + 1) * ROW})`}>
          <text className="timeline-label" y={ROW - 6}>
            {label}
          </text>
          {spans.map((span) => {
            const x = placeOf(Date.parse(span.from));
            const width = placeOf(Date.parse(span.until)) - x;
            return (
              <g key={span.from} className={is_night ? 'timeline-night' : 'timeline-span'}>
                <rect x={x} y={3} width={Math.max(1, width)} height={ROW - 6} rx={3} />
                <text x={x + 5} y={ROW - 6}>
                  {span.text}
                </text>
              </g>
            );
          })}
        </g>
      ))}
    </svg>
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' });

function midnights(begin: number, end: number): number[] {
  const first = new Date(begin).setHours(24, 0, 0, 0);
  const days = Math.max(0, Math.ceil((end - first) / DAY_MS));
  return Array.from({ length: days }, (_, day) => first + day * DAY_MS);
}

import { type ReactNode, useId, useState } from 'react';
import { Button } from '../controls/button.tsx';

type ChartFrameProps = {
  readonly title: string;
  /** How the numbers are counted, in a sentence. */
  readonly definition: string;
  /** What the pointer is on, or the latest value. */
  readonly readout?: ReactNode;
  /** Such as a Segmented for hours and days. */
  readonly controls?: ReactNode;
  readonly chart: ReactNode;
  /** The same numbers in words, for everybody. */
  readonly headers: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
};

/** A chart never stands alone: its definition is in view, its numbers one press away. */
export function ChartFrame({
  title,
  definition,
  readout,
  controls,
  chart,
  headers,
  rows,
}: ChartFrameProps) {
  const id = useId();
  const [isTableShown, setTableShown] = useState(false);
  return (
    <section className="chart" aria-labelledby={`${id}-title`}>
      <header className="chart-head">
        <div>
          <h2 id={`${id}-title`}>{title}</h2>
          <p className="chart-definition">{definition}</p>
        </div>
        <div className="chart-controls">
          {controls}
          <Button
            variant="quiet"
            aria-expanded={isTableShown}
            aria-controls={`${id}-numbers`}
            onClick={() => setTableShown(!isTableShown)}
          >
            {isTableShown ? 'Chart' : 'Numbers'}
          </Button>
        </div>
      </header>
      <p className="chart-readout" aria-hidden="true">
        {readout}
      </p>
      {!isTableShown && chart}
      <div id={`${id}-numbers`} className="chart-numbers" hidden={!isTableShown}>
        {isTableShown && <NumbersTable label={title} headers={headers} rows={rows} />}
      </div>
    </section>
  );
}

function NumbersTable({
  label,
  headers,
  rows,
}: {
  label: string;
  headers: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard.
    <section className="numbers-scroll" aria-label={`Numbers: ${label}`} tabIndex={0}>
      <table className="numbers">
        <thead>
          <tr>
            {headers.map((header) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...rest]) => (
            <tr key={first}>
              <th scope="row">{first}</th>
              {rest.map((value, index) => (
                <td key={headers[index + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

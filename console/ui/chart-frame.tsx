import { type ReactNode, useId, useState } from 'react';
import { Button } from './buttons.tsx';

export type ChartFrameProps = {
  readonly title: string;
  readonly definition: string;
  readonly readout?: ReactNode;
  readonly actions?: ReactNode;
  readonly chart: ReactNode;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly [string, ...ReactNode[]])[];
};

export function ChartFrame({
  title,
  definition,
  readout,
  actions,
  chart,
  ...numbers
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
        <p className="actions">
          {actions}
          <Button
            variant="quiet"
            aria-expanded={isTableShown}
            aria-controls={`${id}-numbers`}
            onClick={() => setTableShown(!isTableShown)}
          >
            {isTableShown ? 'Chart' : 'Numbers'}
          </Button>
        </p>
      </header>
      <p className="chart-readout" aria-hidden="true">
        {readout}
      </p>
      {!isTableShown && chart}
      <div id={`${id}-numbers`} hidden={!isTableShown}>
        {isTableShown && <NumbersTable label={title} {...numbers} />}
      </div>
    </section>
  );
}

type NumbersProps = Pick<ChartFrameProps, 'headers' | 'rows'> & { readonly label: string };

function NumbersTable({ label, headers, rows }: NumbersProps) {
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

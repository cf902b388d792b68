import './how-the-line-works.css';
import { brand } from '../../../brand/brand.ts';
import { HUNDRED } from '../parts/hundred-meter.tsx';
import { describeLine } from './line-sentences.ts';

/** The real rule of the line, in five sentences. */
export function HowTheLineWorks() {
  return (
    <section className="line-rule" aria-labelledby="line-rule">
      <h2 className="label" id="line-rule">
        How the line works
      </h2>
      <ol>
        {describeLine(brand, { places: HUNDRED }).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
    </section>
  );
}

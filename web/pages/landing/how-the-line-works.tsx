import './how-the-line-works.css';
import { brand } from '../../../brand/brand.ts';
import { describeLine } from './line-sentences.ts';

/** The rule of the line in five sentences. */
export function HowTheLineWorks() {
  return (
    <section className="line-rule" aria-labelledby="line-rule">
      <h2 className="label" id="line-rule">
        How the line works
      </h2>
      <ol>
        {describeLine(brand).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
    </section>
  );
}

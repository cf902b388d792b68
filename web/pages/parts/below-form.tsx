/** What stands below a join form: masks, the object, and how the line works. */
import facesInRows from 'virtual:faces-rows.svg';
import maskStills from 'virtual:mask-stills.svg';
import './below-form.css';
import './how-the-line-works.css';
import { type ReactNode, useState } from 'react';
import { brand } from '../../../brand/brand.ts';
import { product } from '../../../brand/product.ts';
import { untilIdle } from '../../ui/when-idle.ts';
import { useAsyncEffect } from '../../use-async-effect.ts';
import { describeLine } from '../landing/line-sentences.ts';

/** `children` stand above how the line works. */
export function BelowForm({ children }: { readonly children?: ReactNode }) {
  const late = useLateParts();
  return (
    <>
      <div className="own-mask">
        <div>
          <h2>{brand.copy.facesTitle}</h2>
          <p className="quiet">{brand.copy.facesNote}</p>
        </div>
        <div className="own-mask-picture">{late && <late.Portrait />}</div>
      </div>
      <div className="faces">
        {late ? <late.FacesWall /> : <noscript>{import.meta.env.SSR && <PlainFaces />}</noscript>}
      </div>
      <div className="see-it-slot">
        {late ? <late.SeeIt /> : <noscript>{import.meta.env.SSR && <PlainSeeIt />}</noscript>}
      </div>
      {children}
      <HowTheLineWorks />
    </>
  );
}

type Late = typeof import('../landing/late-parts.ts');

/** The parts below the first view, once the browser is idle. */
function useLateParts(): Late | null {
  const [loaded, setLoaded] = useState<Late | null>(null);

  useAsyncEffect(async () => {
    await untilIdle();
    setLoaded(await import('../landing/late-parts.ts').catch(() => null));
  }, []);

  return loaded;
}

function PlainFaces() {
  const { facesAlt } = brand.copy;
  return <img src={facesInRows} width={448} height={288} alt={facesAlt} loading="lazy" />;
}

/** React skips a `noscript` in the browser, which need not have its words. */
function PlainSeeIt() {
  const { title, portrait, facts, guide, measure } = product;
  return (
    <>
      <h2>{title}</h2>
      <img src={`/${portrait.file}`} alt={portrait.alt} loading="lazy" />
      <img src={maskStills} alt="The mask from three sides." loading="lazy" />
      {facts.map(({ name, text }) => text !== '' && <p key={name}>{`${name}: ${text}`}</p>)}
      <p>
        {guide
          .map(({ size, faceCm }) => `${size} ${faceCm.join(' to ')} cm.`)
          .concat(measure)
          .join(' ')}
      </p>
    </>
  );
}

function HowTheLineWorks() {
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

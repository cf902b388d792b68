import type { ReactNode } from 'react';
import { coarsePaint } from '../../../brand/art/ghost.ts';
import {
  MASK_EYES_PATH,
  MASK_SILHOUETTE_PATH,
  MASK_SILHOUETTE_VIEW_BOX,
} from '../../../brand/art/mask-silhouette.ts';
import { brand } from '../../../brand/brand.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { DRAW_PARTS } from '../../draw/draw-parts.ts';
import { Card } from '../../ui/card.tsx';
import { paintPath } from '../../ui/coarse-paint.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { inventCode } from '../landing/like-faces.ts';
import { PageWithoutScript } from '../parts/page-without-script.tsx';

export function DrawPage() {
  return (
    <PageWithoutScript>
      <div className="stack draw-page">
        <section id={DRAW_PARTS.stage} className="stack draw-stage">
          <div className="draw-head">
            <h1>The draw</h1>
            <p id={DRAW_PARTS.count} className="draw-count" aria-hidden="true" />
          </div>
          <a id={DRAW_PARTS.find} className="draw-find" href={`#${DRAW_PARTS.id}`} hidden>
            Find my ticket
          </a>
          <Masks />
          <div className="draw-outcome">
            <div>
              <div role="status">
                <p id={DRAW_PARTS.verdict} className="draw-verdict">
                  Check it yourself
                </p>
                <p id={DRAW_PARTS.state} className="quiet">
                  Your browser works the draw out by itself. That needs scripts.
                </p>
              </div>
              <p id={DRAW_PARTS.caption} className="label draw-caption" aria-hidden="true" />
            </div>
            <Button id={DRAW_PARTS.button} variant="secondary" hidden>
              Skip
            </Button>
            <ButtonLink href={pagePaths.landing} className="draw-way">
              To the waitlist
            </ButtonLink>
          </div>
          <ul id={DRAW_PARTS.problems} className="draw-problems" hidden />
        </section>
        <div id={DRAW_PARTS.frozen} className="draw-cards" hidden>
          <div className="draw-column">
            <Card id="yours" title="Your ticket">
              <DrawForm
                form={DRAW_PARTS.form}
                field={DRAW_PARTS.id}
                label="The address of your page, or your member id"
                button="Find my ticket"
              />
              <p className="quiet">It stays in this browser: nothing about you is sent.</p>
              <dl id={DRAW_PARTS.own} className="stack draw-facts" />
              <Folded title="Your ticket in digits" facts={DRAW_PARTS.ownHashes} />
            </Card>
            <div id={DRAW_PARTS.givenCard} hidden>
              <Card id="given" title="What became of it">
                <dl id={DRAW_PARTS.given} className="stack draw-facts" />
              </Card>
            </div>
          </div>
          <Card id="record" title="What was published">
            <dl id={DRAW_PARTS.facts} className="stack draw-facts" />
            <Folded title="Hashes, and a hash that you noted" facts={DRAW_PARTS.hashes}>
              <DrawForm
                form={DRAW_PARTS.notedForm}
                field={DRAW_PARTS.noted}
                label="A hash that you noted, or that a mail has"
                button="Compare"
              />
            </Folded>
          </Card>
        </div>
        <div className="draw-cards">
          <Card id="steps" title="How it goes">
            <ol className="draw-steps">
              <li>
                The order of the line is frozen and published, without names. A ticket weighs from 1
                to 2.5, by the friends who confirmed.
              </li>
              <li>Masks, rule and a future source of randomness are announced.</li>
              <li>The randomness comes out, and decides. Anybody can work it out again.</li>
              <li>Each chosen ticket lights a mask, which is painted from its digits.</li>
            </ol>
          </Card>
          <Card id="proof" title="What this proves">
            <p className="quiet">
              Nobody could change who was chosen: if the announcement has the hash that was
              published before the draw, nothing that anyone did afterwards mattered. It does not
              prove that the list is the order of the line: compare your position with the one on
              your page. The operator may have known the result of a draw by seed beforehand.
            </p>
          </Card>
          <Card id="carry-over" title="What carries over">
            <p className="quiet">
              Your place in the line and your rewards stay for the next drop. Who holds a mask sits
              it out, unless the operator lets them in. Where lost drops count, you have one more
              ticket for each drop that you lost.
            </p>
          </Card>
        </div>
      </div>
    </PageWithoutScript>
  );
}

const MASK_ID = 'draw-mask';

function Masks() {
  return (
    <>
      <svg className="visually-hidden" aria-hidden="true">
        <path id={MASK_ID} fillRule="evenodd" d={MASK_SILHOUETTE_PATH + MASK_EYES_PATH} />
        <clipPath id="draw-edge">
          <path clipRule="evenodd" d={MASK_SILHOUETTE_PATH + MASK_EYES_PATH} />
        </clipPath>
        <radialGradient id="draw-lamp" className="draw-lamp" cx="50%" cy="20%" r="85%">
          <stop offset="35%" />
          <stop offset="100%" />
        </radialGradient>
      </svg>
      <div id={DRAW_PARTS.masks} className="draw-masks" aria-hidden="true">
        {Array.from({ length: brand.maskCount }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string.
          <svg key={index} viewBox={MASK_SILHOUETTE_VIEW_BOX} aria-hidden="true">
            <use href={`#${MASK_ID}`} />
            <path className="draw-example" d={paintPath(coarsePaint(inventCode(index)), 0, 0)} />
          </svg>
        ))}
      </div>
    </>
  );
}

type DrawFormProps = Readonly<Record<'form' | 'field' | 'label' | 'button', string>>;

function DrawForm({ form, field, label, button }: DrawFormProps) {
  return (
    <form id={form} className="stack" noValidate hidden>
      <TextField
        id={field}
        label={label}
        autoComplete="off"
        spellCheck={false}
        message=""
        isInvalid={false}
      />
      <Button type="submit" variant="secondary">
        {button}
      </Button>
    </form>
  );
}

type FoldedProps = {
  readonly title: string;
  readonly facts: string;
  readonly children?: ReactNode;
};

function Folded({ title, facts, children }: FoldedProps) {
  return (
    <details className="draw-folded" hidden>
      <summary>{title}</summary>
      {children}
      <dl id={facts} className="stack draw-facts" />
    </details>
  );
}

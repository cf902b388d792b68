import { DRAW_PARTS } from '../../draw/draw-parts.ts';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { PageWithoutScript } from '../parts/page-without-script.tsx';

export function DrawPage() {
  return (
    <PageWithoutScript>
      <div className="stack draw-page">
        <h1>The draw</h1>
        <p id={DRAW_PARTS.state} role="status">
          Your browser works the draw out by itself. That needs scripts.
        </p>
        <ul id={DRAW_PARTS.problems} className="draw-problems" hidden />
        <div id={DRAW_PARTS.frozen} className="stack draw-frozen" hidden>
          <Card id="yours" title="Your ticket">
            <form id={DRAW_PARTS.form} className="stack" hidden>
              <label htmlFor={DRAW_PARTS.id}>The address of your page, or your member id</label>
              <input id={DRAW_PARTS.id} autoComplete="off" spellCheck={false} required />
              <Button type="submit" variant="secondary">
                Find my ticket
              </Button>
            </form>
            <p className="quiet">It stays in this browser: nothing about you is sent.</p>
            <dl id={DRAW_PARTS.own} className="stack draw-facts" />
          </Card>
          <div id={DRAW_PARTS.givenCard} hidden>
            <Card id="given" title="What became of it">
              <dl id={DRAW_PARTS.given} className="stack draw-facts" />
            </Card>
          </div>
          <Card id="record" title="What was published">
            <form id={DRAW_PARTS.notedForm} className="stack" hidden>
              <label htmlFor={DRAW_PARTS.noted}>A hash that you noted, or that a mail has</label>
              <input id={DRAW_PARTS.noted} autoComplete="off" spellCheck={false} required />
              <Button type="submit" variant="secondary">
                Compare
              </Button>
            </form>
            <dl id={DRAW_PARTS.facts} className="stack draw-facts" />
          </Card>
        </div>
        <Card id="proof" title="What this proves">
          <p className="quiet">
            If the announcement has the hash that was published before the draw, nothing that anyone
            did afterwards could change who was chosen. It does not prove that the list is the order
            of the line: compare your position with the one on your page. The operator may have
            known the result of a draw by seed beforehand.
          </p>
        </Card>
        <Card id="carry-over" title="What carries over">
          <p className="quiet">
            Your place in the line and your rewards stay for the next drop. Who holds a mask sits it
            out, unless the operator lets them in. Where lost drops count, your ticket has one more
            try for each drop that you lost, and the best one counts.
          </p>
        </Card>
      </div>
    </PageWithoutScript>
  );
}

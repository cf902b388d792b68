import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { PageWithoutScript } from '../parts/page-without-script.tsx';

export function FilmPage() {
  return (
    <PageWithoutScript>
      <div className="stack film-page">
        <h1>Your film</h1>
        <p id="film-state" role="status">
          Your browser records the film by itself. That needs scripts.
        </p>
        <Button id="film-record" hidden>
          Record
        </Button>
        <ButtonLink id="film-save" variant="secondary" hidden>
          Save
        </ButtonLink>
        <canvas id="film-canvas" width="720" height="1280" hidden />
      </div>
    </PageWithoutScript>
  );
}

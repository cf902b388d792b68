import { type KeyboardEvent, type SyntheticEvent, useEffect, useState } from 'react';
import { EMAIL_FIELD_ID } from '../parts/join-form.tsx';

/** The form counts as in view once its field stands clear of the bar. */
const BEHIND_BAR = '0px 0px -160px';

/** A link to the e-mail field works without script. On phones it is a bar at the bottom. */
export function JoinCue() {
  const isFormInView = useIsFormInView();

  function focusField(event: SyntheticEvent): void {
    const field = document.getElementById(EMAIL_FIELD_ID);
    if (!field) return;
    event.preventDefault();
    field.scrollIntoView({ block: 'center' });
    field.focus({ preventScroll: true });
  }

  /** Space presses a button, but scrolls on a link. */
  function pressBySpace(event: KeyboardEvent): void {
    if (event.key === ' ') focusField(event);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a button element does nothing before hydration.
    <a
      role="button"
      className="pill join-cue"
      href={`#${EMAIL_FIELD_ID}`}
      data-hidden={isFormInView}
      onClick={focusField}
      onKeyDown={pressBySpace}
    >
      JOIN THE WAITLIST
    </a>
  );
}

function useIsFormInView(): boolean {
  const [isInView, setIsInView] = useState(false);

  useEffect(() => {
    const form = document.getElementById(EMAIL_FIELD_ID)?.closest('form');
    if (!form) return;
    const observer = new IntersectionObserver(
      ([entry]) => setIsInView(entry?.isIntersecting ?? false),
      { rootMargin: BEHIND_BAR },
    );
    observer.observe(form);
    return () => observer.disconnect();
  }, []);

  return isInView;
}

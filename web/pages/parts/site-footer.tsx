import { useQuietMode } from '../../browser/use-quiet-mode.ts';
import { QuietToggle } from '../../ui/quiet-toggle.tsx';

/** The footer of every page. */
export function SiteFooter() {
  const { state, toggle } = useQuietMode();
  return (
    <footer className="page-footer">
      <QuietToggle state={state} onToggle={toggle} />
      <p className="label">No glow, no motion</p>
    </footer>
  );
}

import Keyboard from 'lucide-react/icons/keyboard';
import type { Me } from '../api/me.ts';
import { IconButton } from '../ui/controls/icon-button.tsx';

/** Whose session it is, at the foot of the sidebar. */
export function Account({ me, onHelp }: { me: Me; onHelp: () => void }) {
  return (
    <>
      <p className="account-name">
        <span>{me.name}</span>
        <span className="label">{me.role ?? me.kind}</span>
      </p>
      <IconButton
        label="Keyboard shortcuts"
        icon={<Keyboard aria-hidden="true" size={18} />}
        onClick={onHelp}
      />
    </>
  );
}

import { useSyncExternalStore } from 'react';
import { Checkbox } from '../controls/checkbox.tsx';
import { Dialog } from '../layers/dialog.tsx';
import { areShortcutsOn, subscribeToSwitch, switchShortcuts } from './shortcut-switch.ts';

export type ShortcutGroup = {
  readonly title: string;
  readonly shortcuts: readonly (readonly [keys: string, does: string])[];
};

/** All shortcuts, and the switch for them. */
export function HelpDialog({
  groups,
  onClose,
}: {
  groups: readonly ShortcutGroup[];
  onClose: () => void;
}) {
  const isOn = useSyncExternalStore(subscribeToSwitch, areShortcutsOn, areShortcutsOn);
  return (
    <Dialog title="Keyboard" size="wide" onClose={onClose}>
      <div className="help-groups">
        {groups.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className="label">{title}</h3>
            <dl className="shortcuts">
              {shortcuts.map(([keys, does]) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Checkbox
        label="Single-key shortcuts in this browser"
        checked={isOn}
        onChange={switchShortcuts}
      />
    </Dialog>
  );
}

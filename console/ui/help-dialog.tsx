import { useSyncExternalStore } from 'react';
import { Checkbox } from './choices.tsx';
import { Dialog } from './dialogs.tsx';
import { areShortcutsOn, subscribeToSwitch, switchShortcuts } from './shortcuts.ts';

export type ShortcutGroups = Readonly<Record<string, readonly (readonly [string, string])[]>>;

export function HelpDialog({ groups, onClose }: { groups: ShortcutGroups; onClose: () => void }) {
  const isOn = useSyncExternalStore(subscribeToSwitch, areShortcutsOn, areShortcutsOn);
  return (
    <Dialog title="Keyboard" isWide onClose={onClose}>
      <div className="help-groups">
        {Object.entries(groups).map(([title, shortcuts]) => (
          <section key={title}>
            <h3 className="label">{title}</h3>
            <dl className="shortcuts">
              {shortcuts.map(([keys, effect]) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{effect}</dd>
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

import { useSyncExternalStore } from 'react';
import type { screensOf } from '../routing/screens.tsx';
import { Checkbox } from '../ui/choices.tsx';
import { Dialog } from '../ui/dialogs.tsx';
import { areShortcutsOn, subscribeToSwitch, switchShortcuts } from '../ui/shortcuts.ts';

type HelpDialogProps = {
  readonly screens: ReturnType<typeof screensOf>;
  readonly onClose: () => void;
};

export function HelpDialog({ screens, onClose }: HelpDialogProps) {
  const isOn = useSyncExternalStore(subscribeToSwitch, areShortcutsOn, areShortcutsOn);
  const groups = {
    ...{ Anywhere: ANYWHERE, 'Go to': screens.map(({ key, label }) => [`g ${key}`, label]) },
    ...IN_PLACES,
  };
  return (
    <Dialog title="Keyboard" isWide onClose={onClose}>
      <div className="help-groups">
        {Object.entries(groups).map(([title, shortcuts]) => (
          <section key={title}>
            <h3 className="label">{title}</h3>
            <dl className="shortcuts">
              {shortcuts.map(([keys = '', effect]) => (
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

const ANYWHERE = [
  ['/', 'Search'],
  ['?', 'This overview'],
  ['u', 'Undo the change that was just told'],
  ['F8', 'To the message'],
  ['Esc', 'Close what is open'],
];

const IN_PLACES = {
  'In a list': [
    ['j', 'Next row'],
    ['k', 'Previous row'],
    ['Enter', 'Open the row'],
    ['Space', 'Select the row'],
    ['f', 'Filter the members'],
  ],
  'Beside one of the first in line': [['l', 'Note that you looked, and open the next']],
  'In a dialog': [['Ctrl Enter', 'Confirm']],
};

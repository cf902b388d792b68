import Ellipsis from 'lucide-react/icons/ellipsis';
import Send from 'lucide-react/icons/send';
import { type ReactNode, useState } from 'react';
import { Button, IconButton } from '../ui/buttons.tsx';
import { ConfirmDialog, type Preview } from '../ui/dialogs.tsx';
import { DropdownMenu } from '../ui/dropdown-menu.tsx';
import { KeyValues } from '../ui/facts.tsx';
import { TextField } from '../ui/fields.tsx';
import { Section } from '../ui/frame.tsx';
import { HelpDialog } from '../ui/help-dialog.tsx';
import { SideSheet } from '../ui/side-sheet.tsx';
import { showFailure, showToast } from '../ui/toasts.tsx';

const ICON = { 'aria-hidden': true, size: 16 } as const;

const previews: Readonly<Record<string, Preview>> = {
  Confirm: {
    state: 'ready',
    sentences: ['ada@example.com leaves the line.', '37 positions move, 2 members lose tier 2.'],
  },
  'Confirm, waiting': { state: 'waiting', hint: 'Enter a whole number.' },
  'Confirm, loading': { state: 'loading' },
  'Confirm, failed': {
    state: 'failed',
    message: 'The server cannot be reached.',
    onRetry: () => {},
  },
  'Confirm, refused': { state: 'ready', sentences: ['The stock of Small becomes 2.'] },
  'Confirm, busy': { state: 'ready', sentences: ['The stock of Small becomes 20.'] },
};

export function LayerSamples() {
  const [open, setOpen] = useState('');
  return (
    <Section title="Layers">
      <div className="sample-row">
        {[...Object.keys(previews), 'Sheet', 'Help'].map((name) => (
          <Button key={name} onClick={() => setOpen(name)}>
            {name}
          </Button>
        ))}
        <Button onClick={() => showToast('ada@example.com is out of the line')}>Toast</Button>
        <Button onClick={() => showFailure('Not removed', 'The server cannot be reached.')}>
          Toast, failed
        </Button>
        <DropdownMenu
          trigger={<IconButton label="More actions" icon={<Ellipsis {...ICON} />} />}
          groups={[
            [{ label: 'Resend the status link', icon: <Send {...ICON} />, onSelect() {} }],
            [{ label: 'Remove', isDanger: true, onSelect() {} }],
          ]}
        />
      </div>
      {layer(open, () => setOpen(''))}
    </Section>
  );
}

function layer(open: string, close: () => void): ReactNode {
  if (open === 'Help')
    return (
      <HelpDialog
        groups={{ Anywhere: [['/', 'Search']], 'Go to': [['g m', 'Members']] }}
        onClose={close}
      />
    );
  if (open === 'Sheet')
    return (
      <SideSheet title="ada@example.com" onClose={close}>
        <KeyValues entries={{ Position: '#128', Why: '5 friends x 2 + 1 invited = 11 points' }} />
      </SideSheet>
    );
  const preview = previews[open];
  if (!preview) return null;
  return (
    <ConfirmDialog
      title="Remove from the line"
      preview={preview}
      undoNote="You can undo this for 24 hours."
      confirmLabel="Remove"
      isDanger={open !== 'Confirm, busy'}
      isBusy={open === 'Confirm, busy'}
      failure={open === 'Confirm, refused' ? '3 masks of Small are allocated.' : ''}
      onConfirm={close}
      onClose={close}
    >
      {open === 'Confirm, refused' && <TextField label="Stock" defaultValue="2" />}
    </ConfirmDialog>
  );
}

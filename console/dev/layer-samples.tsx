import Ellipsis from 'lucide-react/icons/ellipsis';
import Pencil from 'lucide-react/icons/pencil';
import Send from 'lucide-react/icons/send';
import Trash from 'lucide-react/icons/trash-2';
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { KeyValues } from '../ui/data/key-values.tsx';
import { Section } from '../ui/frame/section.tsx';
import { HelpDialog } from '../ui/keyboard/help-dialog.tsx';
import { ConfirmDialog, type Preview } from '../ui/layers/confirm-dialog.tsx';
import { DropdownMenu } from '../ui/layers/dropdown-menu.tsx';
import { SideSheet } from '../ui/layers/side-sheet.tsx';
import { toasts } from '../ui/toasts/toasts.ts';

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
  const close = () => setOpen('');
  return (
    <Section title="Layers">
      <div className="sample-row">
        {[...Object.keys(previews), 'Sheet', 'Help'].map((name) => (
          <Button key={name} onClick={() => setOpen(name)}>
            {name}
          </Button>
        ))}
        <Button onClick={() => raise('default')}>Toast</Button>
        <Button onClick={() => raise('destructive')}>Toast, failed</Button>
        <DropdownMenu
          trigger={<IconButton label="More actions" icon={<Ellipsis {...ICON} />} />}
          groups={[
            [
              { label: 'Resend the status link', icon: <Send {...ICON} />, onSelect() {} },
              { label: 'Correct the address', icon: <Pencil {...ICON} />, onSelect() {} },
              { label: 'Adjust points', isDisabled: true, onSelect() {} },
            ],
            [{ label: 'Remove', icon: <Trash {...ICON} />, isDanger: true, onSelect() {} }],
          ]}
        />
      </div>
      {layer(open, close)}
    </Section>
  );
}

function layer(open: string, close: () => void): ReactNode {
  if (open === 'Help')
    return (
      <HelpDialog
        groups={[
          { title: 'Anywhere', shortcuts: [['/', 'Search']] },
          { title: 'Go to', shortcuts: [['g m', 'Members']] },
          { title: 'In a list', shortcuts: [['Enter', 'Open the row']] },
        ]}
        onClose={close}
      />
    );
  if (open === 'Sheet')
    return (
      <SideSheet title="ada@example.com" onClose={close}>
        <KeyValues
          entries={[
            ['Position', '#128'],
            ['Why', '5 friends x 2 + 1 invited = 11 points'],
          ]}
        />
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

function raise(variant: 'default' | 'destructive'): void {
  const isFailed = variant === 'destructive';
  toasts.show({
    title: isFailed ? 'Not removed' : 'ada@example.com is out of the line',
    ...(isFailed && { description: 'The server cannot be reached.' }),
    variant,
    urgency: 'foreground',
  });
}

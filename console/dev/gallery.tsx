import Gauge from 'lucide-react/icons/gauge';
import Keyboard from 'lucide-react/icons/keyboard';
import { useState } from 'react';
import { Button, IconButton } from '../ui/buttons.tsx';
import { AppFrame, PageHeader } from '../ui/frame.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { LayerSamples } from './layer-samples.tsx';
import { ListSamples } from './list-samples.tsx';
import { ChartSamples, ControlSamples, FactSamples } from './part-samples.tsx';

const ICON = { 'aria-hidden': true, size: 18 } as const;

const destinations = ['Overview', 'Members', 'Stock', 'Mails', 'Changes', 'Webhooks'].map(
  (label, index) => ({
    path: `/${label.toLowerCase()}`,
    label,
    icon: <Gauge {...ICON} />,
    isFrequent: index < 4,
    waiting: index * 2,
  }),
);

export function Gallery() {
  const [current, setCurrent] = useState('/members');
  useShortcuts({ '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus() });
  return (
    <AppFrame
      name="Ghost Code"
      destinations={destinations}
      current={current}
      onGo={setCurrent}
      account={
        <>
          <p className="account-name">
            <span>Ada Lovelace</span>
            <span className="label">owner</span>
          </p>
          <IconButton label="Keyboard shortcuts" icon={<Keyboard {...ICON} />} />
        </>
      }
    >
      <PageHeader
        title="Parts"
        note="Every part of the console in every state."
        actions={
          <>
            <Button>Secondary</Button>
            <Button variant="primary">Primary</Button>
          </>
        }
      />
      <ListSamples />
      <ControlSamples />
      <FactSamples />
      <ChartSamples />
      <LayerSamples />
    </AppFrame>
  );
}

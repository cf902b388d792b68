import Gauge from 'lucide-react/icons/gauge';
import History from 'lucide-react/icons/history';
import Keyboard from 'lucide-react/icons/keyboard';
import Mail from 'lucide-react/icons/mail';
import Package from 'lucide-react/icons/package';
import Upload from 'lucide-react/icons/upload';
import Users from 'lucide-react/icons/users';
import Webhook from 'lucide-react/icons/webhook';
import { useState } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { AppFrame } from '../ui/frame/app-frame.tsx';
import { PageHeader } from '../ui/frame/page-header.tsx';
import { useShortcuts } from '../ui/keyboard/use-shortcuts.ts';
import { ChartSamples } from './chart-samples.tsx';
import { ControlSamples } from './control-samples.tsx';
import { DataSamples } from './data-samples.tsx';
import { LayerSamples } from './layer-samples.tsx';
import { ListSamples } from './list-samples.tsx';

const ICON = { 'aria-hidden': true, size: 18 } as const;

const places = [
  { path: '/', label: 'Overview', icon: <Gauge {...ICON} />, isFrequent: true },
  { path: '/members', label: 'Members', icon: <Users {...ICON} />, isFrequent: true },
  { path: '/stock', label: 'Stock', icon: <Package {...ICON} />, isFrequent: true },
  { path: '/mails', label: 'Mails', icon: <Mail {...ICON} />, isFrequent: true },
  { path: '/changes', label: 'Changes', icon: <History {...ICON} />, isFrequent: false },
  { path: '/imports', label: 'Imports', icon: <Upload {...ICON} />, isFrequent: false },
  { path: '/webhooks', label: 'Webhooks', icon: <Webhook {...ICON} />, isFrequent: false },
];

/** The whole kit in the real frame. */
export function Gallery() {
  const [current, setCurrent] = useState('/members');
  useShortcuts({ '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus() });
  return (
    <AppFrame
      name="Ghost Code"
      places={places}
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
      <DataSamples />
      <ChartSamples />
      <LayerSamples />
    </AppFrame>
  );
}

import Banknote from 'lucide-react/icons/banknote';
import ChartColumn from 'lucide-react/icons/chart-column';
import Drama from 'lucide-react/icons/drama';
import FileUp from 'lucide-react/icons/file-up';
import Gift from 'lucide-react/icons/gift';
import History from 'lucide-react/icons/history';
import ListChecks from 'lucide-react/icons/list-checks';
import Mail from 'lucide-react/icons/mail';
import Package from 'lucide-react/icons/package';
import ScanQrCode from 'lucide-react/icons/scan-qr-code';
import Send from 'lucide-react/icons/send';
import Settings from 'lucide-react/icons/settings';
import Users from 'lucide-react/icons/users';
import Webhook from 'lucide-react/icons/webhook';
import { type ComponentType, lazy, type ReactNode } from 'react';
import type { Me } from '../../contract/operator/access.ts';
import { consolePaths } from '../../contract/operator/paths.ts';

type Screen = {
  readonly path: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly key: string;
  readonly isFrequent: boolean;
  readonly Page: ComponentType;
};

export const DOOR_PATH = consolePaths.door.slice(consolePaths.home.length);
const FREQUENT = ['Overview', 'Members', 'Stock', 'Activity'];

export function screensOf({ role }: Me): readonly [Screen, ...Screen[]] {
  if (role === 'door') return [door];
  return role === 'viewer' ? screens : [...screens, door];
}

const screens: readonly [Screen, ...Screen[]] = [
  screen('o', '/overview', 'Overview', ChartColumn, async () => {
    return (await import('../screens/overview/overview-screen.tsx')).OverviewScreen;
  }),
  screen('m', '/members', 'Members', Users, async () => {
    return (await import('../screens/members/members-screen.tsx')).MembersScreen;
  }),
  screen('l', '/first', 'First in line', ListChecks, async () => {
    return (await import('../screens/fairness/first-screen.tsx')).FirstScreen;
  }),
  screen('s', '/stock', 'Stock', Package, async () => {
    return (await import('../screens/drop/stock-screen.tsx')).StockScreen;
  }),
  screen('d', '/drop', 'Drop', Drama, async () => {
    return (await import('../screens/drop/drop-screen.tsx')).DropScreen;
  }),
  screen('f', '/offers', 'Offers', Send, async () => {
    return (await import('../screens/drop/offers-screen.tsx')).OffersScreen;
  }),
  screen('y', '/money', 'Money', Banknote, async () => {
    return (await import('../screens/drop/money-screen.tsx')).MoneyScreen;
  }),
  screen('r', '/rewards', 'Rewards', Gift, async () => {
    return (await import('../screens/rewards/rewards-screen.tsx')).RewardsScreen;
  }),
  screen('a', '/activity', 'Activity', History, async () => {
    return (await import('../screens/changes/activity-screen.tsx')).ActivityScreen;
  }),
  screen('c', '/campaigns', 'Campaigns', Mail, async () => {
    return (await import('../screens/notifications/campaigns-screen.tsx')).CampaignsScreen;
  }),
  screen('w', '/webhooks', 'Webhooks', Webhook, async () => {
    return (await import('../screens/webhooks/webhooks-screen.tsx')).WebhooksScreen;
  }),
  screen('i', '/import', 'Import', FileUp, async () => {
    return (await import('../screens/members/imports-screen.tsx')).ImportsScreen;
  }),
  screen('e', '/settings', 'Settings', Settings, async () => {
    return (await import('../screens/access/settings-screen.tsx')).SettingsScreen;
  }),
];

const door = screen('p', DOOR_PATH, 'Door', ScanQrCode, async () => {
  return (await import('../screens/door/door-screen.tsx')).DoorScreen;
});

function screen(
  key: string,
  path: string,
  label: string,
  Icon: typeof Users,
  load: () => Promise<ComponentType>,
): Screen {
  return {
    path,
    label,
    icon: <Icon aria-hidden="true" size={18} />,
    key,
    isFrequent: FREQUENT.includes(label),
    Page: lazy(async () => ({ default: await load() })),
  };
}

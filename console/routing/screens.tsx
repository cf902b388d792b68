/** The screens of the console: one entry each, in the order of the sidebar. */
import ChartColumn from 'lucide-react/icons/chart-column';
import Drama from 'lucide-react/icons/drama';
import FileUp from 'lucide-react/icons/file-up';
import Gift from 'lucide-react/icons/gift';
import History from 'lucide-react/icons/history';
import Hourglass from 'lucide-react/icons/hourglass';
import Mail from 'lucide-react/icons/mail';
import Package from 'lucide-react/icons/package';
import Send from 'lucide-react/icons/send';
import Settings from 'lucide-react/icons/settings';
import Users from 'lucide-react/icons/users';
import Webhook from 'lucide-react/icons/webhook';
import { type ComponentType, lazy, type ReactNode } from 'react';
import { consolePaths } from '../../contract/operator/paths.ts';

export type Screen = {
  /** Below /console; may have parameters of wouter. */
  readonly path: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** The second key after g; each screen has its own. */
  readonly key: string;
  /** Has a place in the bar of a phone, which holds four. */
  readonly isFrequent: boolean;
  /** Loaded when it is first opened. */
  readonly Page: ComponentType;
};

const ICON = { 'aria-hidden': true, size: 18 } as const;

/** Where what waits is decided: its place shows how many credits do. */
export const CREDITS_PATH = consolePaths.credits.slice(consolePaths.home.length);

export const screens: readonly [Screen, ...Screen[]] = [
  {
    path: '/overview',
    label: 'Overview',
    icon: <ChartColumn {...ICON} />,
    key: 'o',
    isFrequent: true,
    Page: lazy(async () => ({
      default: (await import('../screens/overview/overview-screen.tsx')).OverviewScreen,
    })),
  },
  {
    path: '/members',
    label: 'Members',
    icon: <Users {...ICON} />,
    key: 'm',
    isFrequent: true,
    Page: lazy(async () => ({
      default: (await import('../screens/members/members-screen.tsx')).MembersScreen,
    })),
  },
  {
    path: CREDITS_PATH,
    label: 'Credits',
    icon: <Hourglass {...ICON} />,
    key: 'q',
    isFrequent: false,
    Page: lazy(async () => ({
      default: (await import('../screens/credits/credits-screen.tsx')).CreditsScreen,
    })),
  },
  {
    path: '/stock',
    label: 'Stock',
    icon: <Package {...ICON} />,
    key: 's',
    isFrequent: true,
    Page: lazy(async () => ({
      default: (await import('../screens/stock/stock-screen.tsx')).StockScreen,
    })),
  },
  {
    path: '/drop',
    label: 'Drop',
    icon: <Drama {...ICON} />,
    key: 'd',
    isFrequent: false,
    Page: lazy(async () => ({
      default: (await import('../screens/drop/drop-screen.tsx')).DropScreen,
    })),
  },
  {
    path: '/offers',
    label: 'Offers',
    icon: <Send {...ICON} />,
    key: 'f',
    isFrequent: false,
    Page: lazy(async () => ({
      default: (await import('../screens/offers/offers-screen.tsx')).OffersScreen,
    })),
  },
  {
    path: '/rewards',
    label: 'Rewards',
    icon: <Gift {...ICON} />,
    key: 'r',
    isFrequent: false,
    Page: lazy(async () => ({
      default: (await import('../screens/rewards/rewards-screen.tsx')).RewardsScreen,
    })),
  },
  {
    path: '/activity',
    label: 'Activity',
    icon: <History {...ICON} />,
    key: 'a',
    isFrequent: true,
    Page: lazy(async () => ({
      default: (await import('../screens/activity/activity-screen.tsx')).ActivityScreen,
    })),
  },
  {
    path: '/campaigns',
    label: 'Campaigns',
    icon: <Mail {...ICON} />,
    key: 'c',
    isFrequent: false,
    Page: lazy(async () => ({
      default: (await import('../screens/campaigns/campaigns-screen.tsx')).CampaignsScreen,
    })),
  },
  {
    path: '/webhooks',
    label: 'Webhooks',
    icon: <Webhook {...ICON} />,
    key: 'w',
    isFrequent: false,
    Page: lazy(async () => ({
      default: (await import('../screens/webhooks/webhooks-screen.tsx')).WebhooksScreen,
    })),
  },
  {
    path: '/import',
    label: 'Import',
    icon: <FileUp {...ICON} />,
    key: 'i',
    isFrequent: false,
    Page: lazy(async () => ({
      default: (await import('../screens/imports/imports-screen.tsx')).ImportsScreen,
    })),
  },
  {
    path: '/settings',
    label: 'Settings',
    icon: <Settings {...ICON} />,
    key: 'e',
    isFrequent: false,
    Page: lazy(async () => ({
      default: (await import('../screens/settings/settings-screen.tsx')).SettingsScreen,
    })),
  },
];

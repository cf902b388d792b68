import type { MailPageName, MailState } from '../../../contract/mail-pages.ts';
import { ConfirmExpiredPage, ConfirmedPage, ConfirmPage } from './confirm-pages.tsx';
import { LeavePage, LeftPage } from './leave-pages.tsx';
import { LinkTroublePage, LinkUnknownPage } from './link-pages.tsx';
import { PreferencesExpiredPage, PreferencesPage } from './preferences-pages.tsx';
import {
  RewardAnsweredPage,
  RewardAskedPage,
  RewardExpiredPage,
  RewardSentPage,
} from './reward-pages.tsx';

/** The page of each state, with placeholders for what the server fills in. */
export function mailPage(name: MailPageName) {
  const [, expired, mail] = /^preferences-(expired-)?(\w+)$/.exec(name) ?? [];
  if (mail !== undefined) {
    const Page = expired === undefined ? PreferencesPage : PreferencesExpiredPage;
    return <Page mail={mail as MailState} />;
  }
  return others[name as keyof typeof others];
}

const others = {
  confirm: <ConfirmPage />,
  confirmed: <ConfirmedPage />,
  'confirm-expired': <ConfirmExpiredPage />,
  leave: <LeavePage />,
  left: <LeftPage />,
  'reward-asked': <RewardAskedPage />,
  'reward-answered': <RewardAnsweredPage />,
  'reward-sent': <RewardSentPage />,
  'reward-expired': <RewardExpiredPage />,
  'link-unknown': <LinkUnknownPage />,
  'link-trouble': <LinkTroublePage />,
} satisfies Partial<Record<MailPageName, unknown>>;

/** Every screen of the console, on a server that is filled. */
import type { Page } from 'playwright-core';
import type { ConsoleServer } from './console-server.ts';

type Filled = Awaited<ReturnType<ConsoleServer['fill']>>;

export type Screen = {
  readonly name: string;
  readonly path: (filled: Filled) => string;
  /** Text of the screen that comes from answers of the API. */
  readonly sees: string;
  /** A return to the window does not repeat its calls. */
  readonly isKept?: boolean;
};

export const SCREENS: readonly Screen[] = [
  { name: 'overview', path: () => '/overview', sees: 'Members now' },
  { name: 'members', path: () => '/members', sees: 'grace@example.com', isKept: true },
  { name: 'a member', path: ({ ada }) => `/members?open=${ada.id}`, sees: 'Their page' },
  { name: 'the first in line', path: () => '/first', sees: 'The first 2' },
  { name: 'stock', path: () => '/stock', sees: 'the shoot' },
  { name: 'the drop', path: () => '/drop', sees: 'Before the freeze' },
  { name: 'offers', path: () => '/offers', sees: 'No offers yet' },
  { name: 'money', path: () => '/money', sees: 'Nothing paid yet' },
  { name: 'rewards', path: () => '/rewards', sees: 'gets there' },
  { name: 'activity', path: () => '/activity', sees: 'was allocated' },
  { name: 'campaigns', path: () => '/campaigns', sees: 'Soon' },
  {
    name: 'a campaign',
    path: ({ campaign: { campaign } }) => `/campaigns?open=${campaign}`,
    sees: 'Send test',
  },
  { name: 'webhooks', path: () => '/webhooks', sees: 'hooks.invalid' },
  {
    name: 'a webhook',
    path: ({ endpoint }) => `/webhooks?open=${endpoint.id}`,
    sees: 'Send a test event',
  },
  { name: 'settings', path: () => '/settings', sees: 'No API keys' },
];

/** Text of the screen, or of the sheet over it. */
export const contentOf = (page: Page, { sees }: Screen) =>
  page.locator(':is(main, .sheet)').getByText(sees).first();

import { HOUR_MS } from '../durations.ts';
import type { MailSending } from '../line/mails/mail-kinds.ts';
import type { Links } from '../members/links/links.ts';
import type { Module, Platform } from '../module.ts';
import { openAskRewards, openSendRewardCodes } from './mail-rewards.ts';
import { openMarkRewardsSent } from './mark-rewards-sent.ts';
import { addRewardPage } from './reward-page.ts';
import { deleteOldDetails } from './reward-store.ts';
import { addRewardRoutes } from './routes.ts';
import { openSetRewardBudget } from './set-reward-budget.ts';

type RewardOptions = { readonly links: Links; readonly mail: Pick<MailSending, 'wake'> };

export function openRewards(platform: Platform, { links, mail }: RewardOptions): Module {
  const { database } = platform;
  const change = { ...platform, mail };
  return {
    async addRoutes(server) {
      await server.register(async (scope) => {
        links.prepareScope(scope);
        addRewardPage(scope, links, platform);
      });
    },
    addOperatorRoutes: (operator, openDownload) =>
      addRewardRoutes(operator, platform, openDownload),
    operations: {
      'ask-rewards': openAskRewards(change),
      'send-reward-codes': openSendRewardCodes(change),
      'mark-rewards-sent': openMarkRewardsSent(change),
      'set-reward-budget': openSetRewardBudget(change),
    },
    work: [
      {
        name: 'deleting the addresses of sent rewards',
        everyMs: HOUR_MS,
        run: () => deleteOldDetails(database),
      },
    ],
  };
}

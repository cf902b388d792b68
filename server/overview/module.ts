/** The operator's first look: figures over time, health, and the verification of the line. */
import type { Module, Platform } from '../module.ts';
import type { Mail } from '../notifications/open-mail.ts';
import { addOverviewRoutes } from './routes.ts';

export function openOverview(
  { config: { dataDir }, brand, database }: Platform,
  { mail }: { readonly mail: Pick<Mail, 'readBacklog'> },
): Module {
  return {
    addOperatorRoutes: (operator) =>
      addOverviewRoutes(operator, { database, brand, dataDir, mail }),
  };
}

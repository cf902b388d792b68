/** The only reader of the environment: settings in, one checked value out. Every setting stands in the README's table. */
import { resolve } from 'node:path';

export type Config = {
  readonly port: number;
  readonly host: string;
  /** The origin in links, without a trailing slash. */
  readonly publicUrl: string;
  readonly dataDir: string;
  /** null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Addresses or CIDR ranges of proxies whose forwarding headers are believed. */
  readonly trustProxy: readonly string[];
  readonly inviterEmail: 'full' | 'masked';
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
  readonly isLimiting: boolean;
  readonly logLevel: string;
};

export { resolve };

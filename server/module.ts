/** What every module of the server is given, and the one shape of what it adds. */
import type { FastifyBaseLogger } from 'fastify';
import type { Brand } from '../brand/brand-shape.ts';
import type { OpenDownload } from './backup/downloads.ts';
import type { Operations } from './changes/operation.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { ScheduledWork } from './db/scheduled-work.ts';
import type { Limits } from './guard/limits/limits.ts';
import type { Metrics } from './http/health.ts';
import type { HttpServer } from './http/http-server.ts';

export type Platform = {
  readonly config: Config;
  readonly brand: Brand;
  readonly database: Database;
  readonly secretKey: string;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly log: FastifyBaseLogger;
};

export type Module = {
  /** Adds the routes of visitors. */
  addRoutes?(server: HttpServer): void | Promise<void>;
  /** Adds the routes of operators, in a scope that requires access. */
  addOperatorRoutes?(operator: HttpServer, openDownload: OpenDownload): void;
  /** Changes that operators preview, apply and undo. */
  readonly operations?: Partial<Operations>;
  /** Runs at intervals while the app is open. */
  readonly work?: readonly ScheduledWork[];
  /** Finishes what is under way, after the last request. */
  close?(): Promise<void>;
};

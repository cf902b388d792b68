import type { FastifyBaseLogger } from 'fastify';
import type { Brand } from '../brand/brand-shape.ts';
import type { OpenDownload } from './backup/downloads.ts';
import type { Operations } from './changes/operation.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { ScheduledWork } from './db/scheduled-work.ts';
import type { Engine } from './durable-work/work.ts';
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
  readonly engine: Engine;
  /** Long work ends then, and goes on with the next server. */
  isStopping(): boolean;
};

export type Module = {
  addRoutes?(server: HttpServer): void | Promise<void>;
  addOperatorRoutes?(operator: HttpServer, openDownload: OpenDownload): void;
  readonly operations?: Partial<Operations>;
  readonly work?: readonly ScheduledWork[];
  close?(): Promise<void>;
};

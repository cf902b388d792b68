import {
  type DatabaseConnection,
  type Driver,
  PGliteDialect,
  type PGliteDialectConfig,
  PGliteDriver,
} from 'kysely';

/**
 * Kysely's PGlite dialect hands its one connection to everybody at once, so a query from elsewhere
 * would run inside whatever transaction is open, and a second transaction would never end. Here
 * callers take turns, in order of arrival.
 */
export class EmbeddedDialect extends PGliteDialect {
  readonly #config: PGliteDialectConfig;

  constructor(config: PGliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new SerialDriver(this.#config);
  }
}

class SerialDriver extends PGliteDriver {
  #last: Promise<void> = Promise.resolve();
  #endLast: () => void = () => {};

  override async acquireConnection(): Promise<DatabaseConnection> {
    const round = Promise.withResolvers<void>();
    const previous = this.#last;
    this.#last = round.promise;
    await previous;
    this.#endLast = round.resolve;
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#endLast();
  }

  /** Kysely destroys without waiting: let earlier callers finish. */
  override async destroy(): Promise<void> {
    await this.#last;
    await super.destroy();
  }
}

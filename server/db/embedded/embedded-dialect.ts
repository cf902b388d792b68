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
    return new TurnTakingDriver(this.#config);
  }
}

class TurnTakingDriver extends PGliteDriver {
  #lastTurn: Promise<void> = Promise.resolve();
  #endTurn: () => void = () => {};

  override async acquireConnection(): Promise<DatabaseConnection> {
    const turn = Promise.withResolvers<void>();
    const turnBefore = this.#lastTurn;
    this.#lastTurn = turn.promise;
    await turnBefore;
    this.#endTurn = turn.resolve;
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#endTurn();
  }

  /** Kysely destroys without waiting: let earlier callers finish. */
  override async destroy(): Promise<void> {
    await this.#lastTurn;
    await super.destroy();
  }
}

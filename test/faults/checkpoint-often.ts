/**
 * Preloaded into a server: the embedded database makes checkpoints and WAL switches all the time.
 */
import { PGlite } from '@electric-sql/pglite';

const EVERY_MS = 150;
const CHECKPOINTS_A_SWITCH = 4;

const { execProtocolStream } = PGlite.prototype;
let pglite: PGlite | undefined;
PGlite.prototype.execProtocolStream = function (...args) {
  pglite = this;
  return execProtocolStream.apply(this, args);
};

let round = 0;
setInterval(async () => {
  if (pglite === undefined || pglite.closed) return;
  round += 1;
  // Refused within a failed transaction; the next one follows.
  await pglite
    .exec(round % CHECKPOINTS_A_SWITCH === 0 ? 'select pg_switch_wal()' : 'checkpoint')
    .catch(() => {});
}, EVERY_MS).unref();

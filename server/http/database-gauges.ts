import { Gauge, type Registry } from '@prometheus-io/client';
import { inTime } from '../db/database.ts';

/** Gauges that one `read` fills, omitted while the database does not answer. */
export function addDatabaseGauges<Name extends string>(
  registry: Registry,
  gauges: Readonly<Record<Name, string>>,
  read: () => Promise<Readonly<Record<Name, number>>>,
): void {
  let underWay: Promise<Readonly<Record<Name, number>> | null> | null = null;

  function readOnce() {
    underWay ??= inTime(read())
      .catch(() => null)
      .finally(() => {
        underWay = null;
      });
    return underWay;
  }

  for (const [name, help] of Object.entries(gauges) as [Name, string][])
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const values = await readOnce();
        if (values === null) this.remove();
        else this.set(values[name]);
      },
    });
}

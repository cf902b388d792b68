/** What a figure was measured on. */
import { cpus, loadavg, release, totalmem } from 'node:os';

/** For people: processor, cores, memory, system, Node. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 1e9);
  return `${cpu?.model.trim()}, ${cpus().length} cores, ${gigabytes} GB, ${process.platform} ${release()}, Node ${process.version}`;
}

/** Processes that want a processor, over the last minute: the bench's own among them once it runs. */
export function loadAverage(): number {
  return loadavg()[0] ?? 0;
}

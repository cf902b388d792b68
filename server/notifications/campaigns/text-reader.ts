import { Worker } from 'node:worker_threads';
import { type CampaignText, type ReadText, refuse } from './campaign-text.ts';

/** Parsing takes some seconds at most, but the machine may be busy. */
const DEADLINE_MS = 15_000;
/** Somebody who writes sends the next text soon; nobody else needs the thread's memory. */
const IDLE_MS = 60_000;

/** Reads texts on a thread, one after the other: no limit bounds the time of every Markdown. */
export function openTextReader(deadlineMs = DEADLINE_MS) {
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function startThread(): Worker {
    const started = new Worker(new URL('./text-thread.ts', import.meta.url));
    // A text that breaks the parser is one that takes too long, too.
    started.on('error', () => {});
    started.on('exit', () => {
      if (thread === started) thread = null;
    });
    started.unref();
    return started;
  }

  function endThread(): void {
    void thread?.terminate();
    thread = null;
  }

  async function readOnThread(text: CampaignText): Promise<ReadText> {
    clearTimeout(idle);
    thread ??= startThread();
    const reading = thread;
    const { promise, resolve } = Promise.withResolvers<ReadText>();
    const fail = () =>
      resolve(refuse('This text could not be read in time: use fewer marks such as * and [.'));
    const deadline = setTimeout(() => reading.terminate(), deadlineMs);
    reading.once('message', resolve).once('exit', fail).postMessage(text);
    const read = await promise;
    clearTimeout(deadline);
    reading.off('message', resolve).off('exit', fail);
    idle = setTimeout(endThread, IDLE_MS).unref();
    return read;
  }

  return (text: CampaignText): Promise<ReadText> => {
    const reading = last.then(() => readOnThread(text));
    last = reading;
    return reading;
  };
}

export const readTextOnThread = openTextReader();

import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** Runs the system's ffmpeg at low priority; resolves with its log, rejects when it fails. */
export function runFfmpeg(args: readonly string[], input?: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('nice', ['-n', '15', 'ffmpeg', '-hide_banner', '-y', ...args]);
    let log = '';
    child.stderr.on('data', (chunk) => {
      log += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(log) : reject(new Error(`ffmpeg: ${log.slice(-800)}`)),
    );
    // If ffmpeg closes the pipe early, its exit code says why.
    child.stdin.on('error', () => {});
    if (input) input.pipe(child.stdin);
    else child.stdin.end();
  });
}

export type Loudness = { readonly integratedLufs: number; readonly truePeakDb: number };

/** Loudness by EBU R 128, as ffmpeg's ebur128 measures it. */
export async function measureLoudness(file: string): Promise<Loudness> {
  const log = await runFfmpeg(['-i', file, '-af', 'ebur128=peak=true', '-f', 'null', '-']);
  const summary = log.slice(log.lastIndexOf('Summary:'));
  return {
    integratedLufs: Number(/I:\s+(-?[\d.]+) LUFS/.exec(summary)?.[1]),
    truePeakDb: Number(/Peak:\s+(-?[\d.]+) dBFS/.exec(summary)?.[1]),
  };
}

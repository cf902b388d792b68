/** A screen in memory, and what it shows: the picture after all compositing. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import sharp from 'sharp';

/** Larger than every page that is looked at. */
const SCREEN = '2800x1700x24';

type Area = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

export type MemoryDisplay = {
  /** Value of the environment variable DISPLAY. */
  readonly name: string;
  readonly child: ChildProcess;
  /** The PNG of a part of the screen. */
  shoot(area: Area): Promise<Buffer>;
};

/** `program`: Xvfb. It keeps its screen in a file of `folder`. */
export async function startDisplay(program: string, folder: string): Promise<MemoryDisplay> {
  // It writes the number of the display that it has found free.
  const words = ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp', '-fbdir', folder];
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = await once(child.stdio[3] as Readable, 'data');
  return {
    name: `:${String(number).trim()}`,
    child,
    shoot: (area) => readScreen(readFileSync(join(folder, 'Xvfb_screen0')), area),
  };
}

/** Reads the X window dump: a header of big-endian words, a table of colours, rows of pixels. */
function readScreen(dump: Buffer, area: Area): Promise<Buffer> {
  const word = (index: number) => dump.readUInt32BE(index * 4);
  const [headerBytes, height, rowBytes, colours] = [word(0), word(5), word(12), word(19)];
  const start = headerBytes + colours * 12;
  const pixels = Buffer.from(dump.subarray(start, start + rowBytes * height));
  // Blue, green, red and a byte without meaning.
  for (let at = 0; at < pixels.length; at += 4) {
    const blue = pixels[at] ?? 0;
    pixels[at] = pixels[at + 2] ?? 0;
    pixels[at + 2] = blue;
    pixels[at + 3] = 255;
  }
  return sharp(pixels, { raw: { width: rowBytes / 4, height, channels: 4 } })
    .extract(area)
    .removeAlpha()
    .png()
    .toBuffer();
}

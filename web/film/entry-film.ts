/**
 * The script of a member's film: their face turns, gets its paint, and becomes their story image.
 * The browser records it, because the server has no encoder.
 */
import { shapeMask } from '../../brand/art/mask-object.ts';
import type { MaskObject, ShapeMask } from '../../brand/brand-shape.ts';
import { MEMBER_IMAGES } from '../../contract/member-image.ts';
import { apiPaths, fillPath, imagePaths } from '../../contract/paths.ts';

const { width, height, ghost } = MEMBER_IMAGES.tall;
/** Apps take MP4 with H.264; browsers that cannot write it write WebM. */
const TYPES = ['video/mp4;codecs=avc1.4D0028', 'video/mp4', 'video/webm'];
const RECORDING = { framesPerSecond: 30, videoBitsPerSecond: 5_000_000 };
/** Milliseconds of the film, and of its parts from begin to end. */
const LENGTH_MS = 6000;
const CUES = { lit: [-500, 600], painted: [1300, 2900], back: [2900, 4000], story: [3800, 4400] };
const YAW = { first: -1.2, furthest: 0.55 };
/** The face fills the screen until it makes way for the words. */
const CLOSE = 1.5;
/** Lifts paint in the shadow, as in pictures of the face. */
const PAINT_GAMMA = 0.62;

const partOf = <Part extends HTMLElement>(id: string) =>
  document.getElementById(`film-${id}`) as Part;
const canvas = partOf<HTMLCanvasElement>('canvas');
const context = canvas.getContext('2d') as CanvasRenderingContext2D;
const token = (name: string) => getComputedStyle(canvas).getPropertyValue(`--${name}`);

async function start(): Promise<void> {
  const mimeType = TYPES.find((one) => window.MediaRecorder?.isTypeSupported(one));
  if (mimeType === undefined) return say('This browser cannot record films.');
  const [, , id = ''] = location.pathname.split('/');
  const status = await fetch(fillPath(apiPaths.status, id));
  if (!status.ok) throw new Error(`The status was answered with ${status.status}.`);
  const story = new Image();
  story.src = fillPath(imagePaths.memberImage, id, 'tall');
  await story.decode();
  const paint = openFilm(((await status.json()) as { referral_code: string }).referral_code, story);
  paint(LENGTH_MS);
  canvas.hidden = false;
  say('Your face, for six seconds. Your browser records it here.');
  const button = partOf<HTMLButtonElement>('record');
  button.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    say('Recording...');
    await record(paint, mimeType).then(offer, () => say('That did not work. Please try again.'));
    button.disabled = false;
  });
}

type Paint = (ms: number) => void;

function openFilm(code: string, story: HTMLImageElement): Paint {
  const object = complete((shapeMask as ShapeMask)?.());
  object?.paint(code);
  const middleY = ghost.y + ghost.height / 2;
  return (ms) => {
    const [back, painted] = [share(ms, CUES.back), share(ms, CUES.painted)];
    const scale = (canvas.width / width) * (CLOSE + (1 - CLOSE) * back);
    const y = (height / 2 + (middleY - height / 2) * back) * (canvas.width / width);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 1;
    context.fillStyle = token('void');
    context.fillRect(0, 0, canvas.width, canvas.height);
    const fit = object === null ? 0 : (scale * ghost.height) / object.height;
    context.setTransform(fit, 0, 0, fit, canvas.width / 2, y);
    const out = share(ms, [0, CUES.painted[1] ?? 0]);
    const yaw = (YAW.first + (YAW.furthest - YAW.first) * out) * (1 - back);
    if (object) drawFace(object, { yaw, painted, lit: share(ms, CUES.lit) });
    context.setTransform(1, 0, 0, 1, 0, 0);
    // Flat art does not turn: its film begins with the story.
    context.globalAlpha = object ? share(ms, CUES.story) : share(ms, CUES.lit);
    context.drawImage(story, 0, 0, canvas.width, canvas.height);
  };
}

function complete(steps: Generator<void, MaskObject> | undefined): MaskObject | null {
  if (steps === undefined) return null;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** How much of a part is over, from 0 to 1, slower at both ends. */
function share(ms: number, [from = 0, to = 1]: readonly number[]): number {
  const linear = Math.max(0, Math.min(1, (ms - from) / (to - from)));
  return linear * linear * (3 - 2 * linear);
}

type Look = { readonly yaw: number; readonly painted: number; readonly lit: number };

function drawFace(
  { looks, turn, width: across, height: down }: MaskObject,
  { yaw, painted, lit }: Look,
): void {
  const [bare, charged] = [looks.map(() => new Path2D()), looks.map(() => new Path2D())];
  turn(yaw, 0, (x, y, level, isPainted) => {
    const isGreen = isPainted && y < painted * down;
    const brightness = (level + 0.5) / looks.length;
    const shown = isGreen ? Math.floor(brightness ** PAINT_GAMMA * looks.length) : level;
    const path = (isGreen ? charged : bare)[shown];
    const radius = (looks[shown]?.diameter ?? 0) / 2;
    path?.moveTo(x - across / 2 + radius, y - down / 2);
    path?.arc(x - across / 2, y - down / 2, radius, 0, 2 * Math.PI);
  });
  for (const [level, { opacity }] of looks.entries()) {
    context.globalAlpha = lit * opacity * (1 - painted * 0.4);
    context.fillStyle = token('bone');
    context.fill(bare[level] as Path2D);
    context.globalAlpha = lit * opacity ** 0.5;
    context.fillStyle = token('ghost-paint');
    context.fill(charged[level] as Path2D);
  }
}

async function record(paint: Paint, mimeType: string): Promise<File> {
  const { framesPerSecond, videoBitsPerSecond } = RECORDING;
  paint(0);
  const stream = canvas.captureStream(framesPerSecond);
  const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
  recorder.start();
  const begin = performance.now();
  for (let ms = 0; ms < LENGTH_MS; ms = performance.now() - begin) {
    paint(ms);
    await new Promise(requestAnimationFrame);
  }
  recorder.stop();
  await stopped;
  const type = mimeType.replace(/;.*/, '');
  return new File(parts, type.replace('video/', 'film.'), { type });
}

/** The link saves the film, or opens the device's share sheet. */
function offer(film: File): void {
  say('Your film is ready.');
  const save = partOf<HTMLAnchorElement>('save');
  save.href = URL.createObjectURL(film);
  save.download = film.name;
  save.hidden = false;
  const files = [film];
  if (!navigator.canShare?.({ files })) return;
  save.textContent = 'Share';
  save.onclick = (event) => {
    event.preventDefault();
    // A sheet that was closed is no failure.
    navigator.share({ files }).catch(() => undefined);
  };
}

function say(sentence: string): void {
  partOf('state').textContent = sentence;
}

start().catch((error: unknown) => {
  console.warn(error);
  say('Your film did not load. Please try again in a moment.');
});

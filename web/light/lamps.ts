import type { Dot } from './read-dots.ts';

/** A dot's halo, in diameters of the dot. */
const HALO = 2;

/**
 * Returns what draws a frame: each charged dot as a lamp with a soft halo, as strong as its charge. A lamp is a small
 * picture made once for each thickness, and a bitmap: of a canvas the browser would take a snapshot at every copy.
 */
export function makeLamps(
  context: CanvasRenderingContext2D,
  { dots, scale, colour }: { dots: readonly Dot[]; scale: number; colour: string },
): (charges: Float32Array) => void {
  const lamps = new Map<number, ImageBitmap>();
  for (const { diameter } of dots) {
    if (!lamps.has(diameter)) lamps.set(diameter, drawLamp(diameter * scale, colour));
  }
  return (charges) => {
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    for (let index = 0; index < dots.length; index += 1) {
      const dot = dots[index];
      const charge = charges[index] ?? 0;
      const lamp = dot && lamps.get(dot.diameter);
      if (charge === 0 || !lamp) continue;
      context.globalAlpha = charge;
      context.drawImage(lamp, Math.round(dot.x * scale - lamp.width / 2), Math.round(dot.y * scale - lamp.width / 2));
    }
  };
}

function drawLamp(diameter: number, colour: string): ImageBitmap {
  const middle = Math.ceil((diameter * HALO) / 2);
  const lamp = new OffscreenCanvas(middle * 2, middle * 2);
  const context = lamp.getContext('2d');
  if (context) {
    const halo = context.createRadialGradient(middle, middle, diameter / 2, middle, middle, middle);
    halo.addColorStop(0, `color-mix(in srgb, ${colour} 35%, transparent)`);
    halo.addColorStop(1, 'transparent');
    context.fillStyle = halo;
    context.fillRect(0, 0, lamp.width, lamp.height);
    context.fillStyle = colour;
    context.beginPath();
    context.arc(middle, middle, diameter / 2, 0, 2 * Math.PI);
    context.fill();
  }
  return lamp.transferToImageBitmap();
}

/** A point or direction, or the red, green and blue of linear light. */
export type Vector = readonly [x: number, y: number, z: number];

export function add(a: Vector, b: Vector, scale = 1): Vector {
  return [a[0] + b[0] * scale, a[1] + b[1] * scale, a[2] + b[2] * scale];
}

export function times(a: Vector, scale: number): Vector {
  return [a[0] * scale, a[1] * scale, a[2] * scale];
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function unit(a: Vector): Vector {
  return times(a, 1 / Math.sqrt(dot(a, a)));
}

/** Pictures kept in memory: those asked for last, up to a number of bytes. */
export type KeptImages = {
  get(key: string): Buffer | undefined;
  keep(key: string, image: Buffer): void;
  /** Of all pictures together. */
  bytes(): number;
};

export function openKeptImages(maxBytes: number): KeptImages {
  // A map remembers the order of its entries: the first is the one not asked for the longest.
  const images = new Map<string, Buffer>();
  let bytes = 0;

  function drop(key: string): void {
    bytes -= images.get(key)?.length ?? 0;
    images.delete(key);
  }

  return {
    get(key) {
      const image = images.get(key);
      if (image === undefined) return undefined;
      images.delete(key);
      images.set(key, image);
      return image;
    },
    keep(key, image) {
      drop(key);
      images.set(key, image);
      bytes += image.length;
      for (const oldest of images.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
    bytes: () => bytes,
  };
}

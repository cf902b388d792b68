export function canSharePictures(): boolean {
  const sample = new File(['x'], 'sample.jpg', { type: 'image/jpeg' });
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [sample] });
}

/** null when it cannot be fetched. */
export async function fetchPicture(path: string): Promise<File | null> {
  try {
    const response = await fetch(path);
    if (!response.ok) return null;
    const [, name = 'image.jpg'] =
      /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
    return new File([await response.blob()], name, { type: 'image/jpeg' });
  } catch {
    return null;
  }
}

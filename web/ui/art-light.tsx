/**
 * Light over a picture, limited to its dots by a mask. Blend modes fail in WebKitGTK, which shows a
 * green rectangle.
 */
export function ArtLight() {
  return (
    <div className="art-light" ref={showThroughArt}>
      <div className="charge-sweep" />
    </div>
  );
}

function showThroughArt(light: HTMLDivElement | null): void {
  const picture = light?.parentElement?.querySelector('svg');
  if (!light || !picture) return;
  const mask = `url("data:image/svg+xml,${encodeURIComponent(picture.outerHTML)}")`;
  light.style.setProperty('-webkit-mask-image', mask);
  light.style.setProperty('mask-image', mask);
}

/** A mask limits the light to the picture's dots. Blend modes show a green box in WebKitGTK. */
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

import { useEffect, useEffectEvent, useRef, useState } from 'react';

type Detector = { detect(video: HTMLVideoElement): Promise<readonly { rawValue: string }[]> };
/** Browsers that read codes themselves have these: decision 0149. */
type Detectors = { new (options: object): Detector; getSupportedFormats(): Promise<string[]> };

const LOOK_EVERY_MS = 120;
/** A larger picture takes longer, and a code that fills a third of this one is read. */
const LONGEST_SIDE = 640;

export function Camera({ onCode }: { onCode: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [isHidden, setHidden] = useState(false);
  const report = useEffectEvent(onCode);

  useEffect(() => {
    const end = new AbortController();
    if (video.current !== null)
      look(video.current, end.signal, (code) => report(code)).catch(() =>
        setHidden(!end.signal.aborted),
      );
    return () => end.abort();
  }, []);

  return (
    <div className="door-camera">
      <video ref={video} muted playsInline aria-label="What the camera sees" />
      {isHidden && (
        <p className="door-problem" role="alert">
          No camera. Allow it in the browser, which gives one over https only, and load this page
          again; or type the code of the pass.
        </p>
      )}
    </div>
  );
}

async function look(
  video: HTMLVideoElement,
  signal: AbortSignal,
  onCode: (code: string) => void,
): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 } },
  });
  const halt = () => stream.getTracks().map((track) => track.stop());
  signal.addEventListener('abort', halt);
  if (signal.aborted) halt();
  // The door works on devices that cannot stay awake, too.
  void navigator.wakeLock?.request('screen').catch(() => {});
  video.srcObject = stream;
  await video.play();
  const decode = await openDecoder();
  while (!signal.aborted) {
    const code = await decode(video).catch(() => null);
    if (code && !signal.aborted) onCode(code);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function openDecoder(): Promise<(video: HTMLVideoElement) => Promise<string | null>> {
  const { BarcodeDetector } = window as { BarcodeDetector?: Detectors };
  if (BarcodeDetector && (await BarcodeDetector.getSupportedFormats()).includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] });
    return async (video) => (await detector.detect(video))[0]?.rawValue ?? null;
  }
  const { default: decodeQr } = await import('qr/decode.js');
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  return async (video) => {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(video.videoWidth, video.videoHeight));
    const [width, height] = [video.videoWidth * scale, video.videoHeight * scale].map(Math.round);
    if (!context || !width || !height) return null;
    Object.assign(context.canvas, { width, height });
    context.drawImage(video, 0, 0, width, height);
    return decodeQr(context.getImageData(0, 0, width, height));
  };
}

/** For an effect: starts something once its code is here, and stops it on leaving. Code that cannot be had is done without. */
export function untilLeft(loading: Promise<() => () => void>): () => void {
  let isLeft = false;
  let stop = () => {};
  loading.then(
    (start) => {
      if (!isLeft) stop = start();
    },
    () => undefined,
  );
  return () => {
    isLeft = true;
    stop();
  };
}

import { brand } from '../../../brand/brand.ts';
import { HundredMeter } from '../parts/hundred-meter.tsx';

/** The status page before its data: the same boxes at the same places, unlit. */
export function LoadingView() {
  return (
    <div className="status-split">
      <div className="status-column">
        <div className="status-place">
          <div role="status">
            <h1 className="status-loading">{brand.specified.statusLoading}</h1>
          </div>
          <div className="dot-number status-unlit" aria-hidden="true">
            #
          </div>
          <div className="status-hundred">
            <HundredMeter />
          </div>
        </div>
        <div className="card status-blank" />
      </div>
      <div className="status-column">
        <div className="card status-blank" />
        <div className="card status-blank" />
      </div>
    </div>
  );
}

/** A histogram of latencies in bins of 1 ms: a minute of overload has a million answers. */
const MOST_MS = 60_000;

export class Latencies {
  private readonly bins = new Uint32Array(MOST_MS + 1);
  private count = 0;
  private worst = 0;

  add(ms: number): void {
    const bin = Math.min(MOST_MS, Math.max(0, Math.floor(ms)));
    this.bins[bin] = (this.bins[bin] ?? 0) + 1;
    this.count += 1;
    this.worst = Math.max(this.worst, ms);
  }

  summary(): Summary {
    return {
      count: this.count,
      p50Ms: this.percentile(0.5),
      p99Ms: this.percentile(0.99),
      worstMs: this.worst,
    };
  }

  /** The upper end of its bin; 0 without answers. */
  private percentile(share: number): number {
    let left = Math.ceil(this.count * share);
    for (let ms = 0; left > 0; ms += 1) {
      left -= this.bins[ms] ?? 0;
      if (left <= 0) return ms + 1;
    }
    return 0;
  }
}

export type Summary = {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
};

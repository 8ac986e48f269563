import type { FrameStats } from "./types";

/** How many frames the percentiles look back on. */
const WINDOW = 240;
/** Frames further apart than this were not meant to follow each other. */
const PAUSE_MS = 400;
const SLOW_FRAME_MS = 50;
const SLOW_FOR_MS = 2000;

/**
 * Draws on demand. Every cause of a change calls `request()`; `draw` says whether it wants another frame; otherwise
 * nothing runs at all.
 */
export class FrameLoop {
  private pending = 0;
  private frames = 0;
  private last = 0;
  private readonly script: number[] = [];
  private previous = -Infinity;
  private slowSince = 0;
  private slowFrames = 0;

  constructor(
    private readonly draw: (now: number) => boolean,
    /** Frames have been coming at under 20 a second for 2 s. */
    private readonly slow: () => void,
  ) {}

  request = (): void => {
    if (this.pending === 0) this.pending = requestAnimationFrame(this.frame);
  };

  cancel(): void {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
  }

  stats(): Omit<FrameStats, "renderer"> {
    const sorted = [...this.script].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { frames: this.frames, lastScriptMs: this.last, p50ScriptMs: at(0.5), p95ScriptMs: at(0.95), recent: [...this.script], running: this.pending !== 0 };
  }

  private frame = (timestamp: number): void => {
    this.pending = 0;
    const started = performance.now();
    // Timestamps of frames may lie before events already handled; time must not run backwards in tweens.
    const again = this.draw(Math.max(timestamp, started));
    this.last = performance.now() - started;
    this.frames++;
    this.script.push(this.last);
    if (this.script.length > WINDOW) this.script.shift();
    this.watchPace(timestamp);
    if (again) this.request();
  };

  private watchPace(timestamp: number): void {
    const gap = timestamp - this.previous;
    this.previous = timestamp;
    if (gap > PAUSE_MS || gap < SLOW_FRAME_MS) {
      this.slowFrames = 0;
      this.slowSince = timestamp;
      return;
    }
    this.slowFrames++;
    if (this.slowFrames > 8 && timestamp - this.slowSince >= SLOW_FOR_MS) {
      this.slowFrames = 0;
      this.slowSince = timestamp;
      this.slow();
    }
  }
}

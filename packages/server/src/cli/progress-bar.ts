import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import { tell } from './print.ts';

export interface Progress {
  phase: keyof typeof LABELS;
  done: number;
  total: number | null;
}

const LABELS = {
  render: 'Rendering the starter GIFs',
  read: 'Reading',
  media: 'Processing files',
  build: 'Building the index',
  check: 'Comparing',
  previews: 'Making more previews',
  meaning: 'Embedding texts',
  looks: 'Describing pictures',
  rating: 'Rating GIFs',
  captions: 'Reading captions',
  events: 'Reading events',
  files: 'Checking files',
  links: 'Checking links',
  probe: 'Checking linked GIFs',
  originals: 'Originals',
  rows: 'Copying the database',
  derivatives: 'Previews and videos',
  model: 'Downloading the model, MB',
  tokenizer: 'Downloading the tokenizer, MB',
} as const;

/**
 * The remaining time is estimated only after this number of processed items, because the time for the first items
 * includes the startup.
 */
const LEAST_DONE = 10;

/** Time between two lines if the output is not a terminal. */
const PLAIN_MS = 5_000;

/**
 * Shows a command's progress, speed and remaining time. Shows a bar on a terminal. Sends the progress to the service if
 * a service started the command. Otherwise, prints a line at intervals.
 */
export function createProgress(quiet: boolean): { report(progress: Progress): void; stop(): void } {
  if (quiet) return { report: () => {}, stop: () => {} };
  if (process.send !== undefined) return createSender();
  return process.stderr.isTTY ? createBars() : createLines();
}

function createBars() {
  const bars = new MultiBar(
    {
      format: '{label} {bar} {value}/{total}  {rate}/s  {left} left',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: false,
    },
    Presets.shades_grey,
  );
  const open = new Map<string, { bar: SingleBar; since: number }>();
  return {
    report({ phase, done, total }: Progress) {
      let entry = open.get(phase);
      if (!entry) {
        const bar = bars.create(total ?? 0, 0, { label: LABELS[phase].padEnd(28), rate: '0', left: '?' });
        entry = { bar, since: Date.now() };
        open.set(phase, entry);
      }
      entry.bar.setTotal(Math.max(total ?? done, done));
      entry.bar.update(done, speed(done, total, entry.since));
    },
    stop: () => bars.stop(),
  };
}

/** Time between two messages to the service that started the command. */
const SEND_MS = 250;

function createSender() {
  let sentAt = 0;
  return {
    report(progress: Progress) {
      const now = Date.now();
      if (!process.connected || (now - sentAt < SEND_MS && progress.done !== progress.total)) return;
      sentAt = now;
      // If the service has ended, the command goes on without it.
      process.send!(progress, undefined, undefined, () => {});
    },
    stop: () => {},
  };
}

function createLines() {
  const since = new Map<string, { start: number; shown: number }>();
  return {
    report({ phase, done, total }: Progress) {
      const now = Date.now();
      const seen = since.get(phase) ?? { start: now, shown: 0 };
      since.set(phase, seen);
      if (now - seen.shown < PLAIN_MS && done !== total) return;
      seen.shown = now;
      const line = `${LABELS[phase]}: ${done}${total === null ? '' : ` of ${total}`}`;
      if (now === seen.start) return tell(line);
      const { rate, left } = speed(done, total, seen.start);
      const rest = total === null || done === total ? '' : `, ${left} left`;
      tell(`${line} (${rate}/s${rest})`);
    },
    stop: () => {},
  };
}

function speed(done: number, total: number | null, since: number): { rate: string; left: string } {
  const seconds = (Date.now() - since) / 1000;
  const rate = seconds > 0 ? done / seconds : 0;
  const left = total === null || done < LEAST_DONE || rate === 0 ? '?' : formatSeconds((total - done) / rate);
  return { rate: rate >= 10 ? rate.toFixed(0) : rate.toFixed(1), left };
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}

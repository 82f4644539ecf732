import { createProgress, type Progress } from './progress-bar.ts';
import { stopSignal } from './stop-signal.ts';

export interface TaskOptions {
  quiet?: boolean;
}

interface Task {
  onProgress(progress: Progress): void;
  signal: AbortSignal;
}

/** Runs a long task, shows the task's progress, and stops the task on request. */
export async function withProgress<Result>(
  options: TaskOptions,
  act: (task: Task) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  void stopSignal().then(() => controller.abort());
  const progress = createProgress(options.quiet ?? false);
  try {
    return await act({ onProgress: progress.report, signal: controller.signal });
  } finally {
    progress.stop();
  }
}

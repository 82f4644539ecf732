/** Kills this process immediately, even if it is busy. */
export function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Makes this process end together with the service, and leaves signals to the service. A process that `Subprocess`
 * starts must call this function first. The process ends without waiting, because a decoder or a model might never
 * return.
 */
export function endWithService(): void {
  process.on('disconnect', die);
  if (!process.connected) die();
  // A signal to the process group (Ctrl-C) is for the service, which ends this process itself.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
}

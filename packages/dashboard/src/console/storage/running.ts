import type { BackupList } from '@zoetrope/contract/account';
import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { say } from '../../words/operators.ts';
import { count, momentOf } from '../../words.ts';

type Running = NonNullable<BackupList['running']>;

/** What each phase of a task counts. */
const PHASES: Readonly<Record<string, () => string>> = {
  rows: () => say('phase_rows'),
  originals: () => say('phase_originals'),
  derivatives: () => say('phase_derivatives'),
  model: () => say('phase_model'),
  tokenizer: () => say('phase_tokenizer'),
};

/** Renders a task that runs in the background. */
export function renderRunning({ subject, startedAt, phase, done, total }: Running): TemplateResult {
  const of = total === null ? count(done) : say('doneOf', { done: count(done), total: count(total) });
  return html`<p class="card" role="status">${say('runningSince', { subject, date: momentOf(startedAt) })}
    ${PHASES[phase]?.() ?? ''} ${phase === '' ? nothing : of}
    ${total === null || total === 0 ? nothing : html`<progress max=${total} .value=${done} aria-label=${subject}></progress>`}</p>`;
}

/** Time between two requests for the state while a task runs. */
const LOOK_MS = 2_000;

/** Requests the state again and again while a task runs. */
export class Lookout implements ReactiveController {
  readonly #isRunning: () => boolean;
  readonly #look: () => Promise<void>;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(host: ReactiveControllerHost, isRunning: () => boolean, look: () => Promise<void>) {
    this.#isRunning = isRunning;
    this.#look = look;
    host.addController(this);
  }

  hostConnected(): void {
    this.#timer = setInterval(() => {
      if (this.#isRunning() && !document.hidden) void this.#look();
    }, LOOK_MS);
  }

  hostDisconnected(): void {
    clearInterval(this.#timer);
  }
}

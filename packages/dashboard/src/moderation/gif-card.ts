import type { GifAct, GifMove, ModeratedGif, ReportReason } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ApiError, ask } from '../api.ts';
import { API, BASE } from '../navigation.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { tellDecision } from '../queue/decided.ts';
import type { Key } from '../queue/keys.ts';
import { counted, momentOf } from '../words.ts';

const REASONS: Readonly<Record<ReportReason, string>> = {
  illegal: 'Illegal',
  adult: 'Adult content that is not marked as such',
  copyright: 'Copyright',
  other: 'Something else',
};

type SimpleAct = Exclude<GifAct['action'], 'edit'>;

/** The label of each action's button, and the message after the action. */
const ACTS: Readonly<Record<SimpleAct, { button: string; done: string }>> = {
  hide: { button: 'Hide', done: 'Hidden.' },
  show: { button: 'Show again', done: 'Shown again.' },
  adult: { button: 'Mark as adult', done: 'Marked as adult.' },
  safe: { button: 'Mark as safe', done: 'Marked as safe.' },
  block: { button: 'Block', done: 'Blocked, along with pictures that look the same.' },
  unblock: { button: 'Unblock', done: 'Unblocked.' },
  dismiss: { button: 'Dismiss reports', done: 'Reports dismissed.' },
  unedit: { button: 'Remove edits', done: 'Edits removed.' },
};

/** The keys of the queue, and the actions that they do. */
const ACT_KEYS: Readonly<Partial<Record<Key, SimpleAct>>> = {
  h: 'hide',
  a: 'adult',
  s: 'safe',
  b: 'block',
  d: 'dismiss',
};
/** Number of reports that are shown immediately. */
const FIRST_REPORTS = 5;

/** One GIF with its reports and all actions that an operator can take on the GIF. */
export class GifCard extends Panel {
  static override properties = { gif: { attribute: false }, reason: {}, isInQueue: { attribute: false } };
  declare gif: ModeratedGif;
  /** The reason of the next decision; missing or empty for none. */
  declare reason?: string;
  /** Whether the keys of the queue work, so that the buttons name them. */
  declare isInQueue?: boolean;
  /** Null until the operator has chosen. */
  #veils: boolean | null = null;
  #isEdited = false;

  override render() {
    const { id, title, reports, moves } = this.gif;
    const name = title || id.slice(0, 12);
    return html`<article class="card gif" aria-label=${name}>
      ${this.isInQueue ? html`<h3><a href=${`${BASE}/review/gifs/${id}`}>${name}</a></h3>` : nothing}
      ${this.#renderPicture()}
      <p class="muted">${stateOf(this.gif)}${this.isInQueue ? nothing : html`<br /><code class="long">${id}</code>`}</p>
      ${renderReports(reports)}
      ${this.renderDone()} ${this.renderFailed('act')}
      ${this.#isEdited ? this.#renderForm() : this.#renderChoice()}
      ${moves.length === 0 ? nothing : this.#renderMoves(moves)}
    </article>`;
  }

  /** Renders the picture. One that can be disturbing stays blurred until the operator asks for it. */
  #renderPicture(): TemplateResult {
    const { id, width, height } = this.gif;
    const isVeiled = this.#isVeiled;
    const address = `${API}/review/gifs/${encodeURIComponent(id)}/picture`;
    return html`<div class="veil"><img class=${isVeiled ? 'veiled' : ''} src=${address} alt="" width=${width}
        height=${height} loading="lazy" /></div>
      ${
        this.#isDisturbing
          ? html`<p><button type="button" class="plain" aria-pressed=${!isVeiled} @click=${this.#unveil}>
              Show without blur${this.#renderKey('v')}</button></p>`
          : nothing
      }`;
  }

  get #isVeiled(): boolean {
    return this.#veils ?? this.#isDisturbing;
  }

  get #isDisturbing(): boolean {
    const { reports, hidden, blocked, rating } = this.gif;
    const isReported = reports.some(({ reason }) => reason !== 'copyright');
    return isReported || hidden || blocked || rating === 'adult' || rating === 'review';
  }

  #renderChoice(): TemplateResult {
    const { hidden, blocked, rating, ratedBy, reports, edited } = this.gif;
    const says = ratedBy === 'operator' ? rating : '';
    const acts: SimpleAct[] = [
      hidden ? 'show' : 'hide',
      ...(says === 'adult' ? [] : (['adult'] as const)),
      ...(says === 'safe' ? [] : (['safe'] as const)),
      blocked ? 'unblock' : 'block',
      ...(reports.length > 0 ? (['dismiss'] as const) : []),
      ...(edited ? (['unedit'] as const) : []),
    ];
    return html`<p class="row">
      ${acts.map(
        (
          action,
        ) => html`<button type="button" class="plain" aria-disabled=${this.busy} @click=${() => this.#do(action)}>
          ${ACTS[action].button}${this.#renderKey((Object.keys(ACT_KEYS) as Key[]).find((key) => ACT_KEYS[key] === action))}</button>`,
      )}
      <button type="button" class="plain edit" @click=${() => this.#edit(true)}>Edit …</button>
    </p>`;
  }

  #renderKey(key: Key | undefined): TemplateResult | typeof nothing {
    return key !== undefined && this.isInQueue ? html` <kbd aria-hidden="true">${key}</kbd>` : nothing;
  }

  #renderForm(): TemplateResult {
    const { id, title, tags, alt } = this.gif;
    const key = id.replace(/\W/g, '-');
    return html`<form @submit=${this.#save}>
      <p class="field"><label for=${`title-${key}`}>Title</label>
        <input id=${`title-${key}`} name="title" maxlength="300" .value=${title} /></p>
      <p class="field"><label for=${`tags-${key}`}>Tags, separated by commas</label>
        <input id=${`tags-${key}`} name="tags" maxlength="5000" .value=${tags.join(', ')} /></p>
      <p class="field"><label for=${`alt-${key}`}>Alt text</label>
        <input id=${`alt-${key}`} name="alt" maxlength="2000" .value=${alt} /></p>
      <p class="row">
        <button type="submit" aria-disabled=${this.busy}>Save</button>
        <button type="button" class="plain" @click=${() => this.#edit(false)}>Cancel</button>
      </p>
    </form>`;
  }

  #renderMoves(moves: GifMove[]): TemplateResult {
    return html`<details>
      <summary>History (${moves.length})</summary>
      <ul class="moves">
        ${moves.map(
          ({ id, action, actor, at, reason, changes, undone }) => html`<li>
            <strong>${action}</strong>${undone ? ' (undone)' : ''}, ${momentOf(at)}, by <span class="long">${actor}</span>
            ${reason === '' ? nothing : html`<br /><span class="long">${reason}</span>`}
            ${changes.map(({ what, before, after }) => html`<br />${what}: ${before} → ${after}`)}
            ${
              undone
                ? nothing
                : html`<br /><button type="button" class="plain" aria-label=${`Undo ${action}`} aria-disabled=${this.busy}
                    @click=${() => this.#undo(id)}>Undo</button>`
            }
          </li>`,
        )}
      </ul>
    </details>`;
  }

  #unveil(): void {
    this.#veils = !this.#isVeiled;
    this.requestUpdate();
  }

  /** Opens or closes the form and moves the focus accordingly. */
  async #edit(isEdited: boolean): Promise<void> {
    this.#isEdited = isEdited;
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>(isEdited ? 'form input' : 'button.edit')?.focus();
  }

  /** Does what a key of the queue means. */
  press(key: Key): void {
    const action = ACT_KEYS[key];
    if (key === 'v') this.#unveil();
    if (action !== undefined) void this.#do(action);
  }

  #do(action: SimpleAct): Promise<void> {
    return this.#change({ action }, () => {
      const { reports } = this.gif;
      const open =
        action === 'safe' && reports.length > 0
          ? ` ${counted(reports.length, 'report')} still open: dismiss them, too.`
          : '';
      return `${ACTS[action].done}${open}`;
    });
  }

  /** Sends an action. @param done returns what is said then */
  #change(act: object, done: () => string): Promise<void> {
    return this.act('act', async () => {
      const path = { gifId: this.gif.id };
      const lastMove = this.gif.moves[0]?.id ?? 0;
      try {
        this.gif = await ask('moderate', { path, body: { ...act, reason: this.reason ?? '', lastMove } });
      } catch (error) {
        // Somebody else was first: the message says who, and the card shows what that person did.
        if (error instanceof ApiError && error.code === 'conflict') this.gif = await ask('moderatedGif', { path });
        throw error;
      }
      tellDecision(this, { kind: 'gif', gif: this.gif, done: done() });
      return this.isInQueue ? '' : done();
    });
  }

  #undo(move: number): Promise<void> {
    return this.act('act', async () => {
      this.gif = await ask('undoMove', { path: { moveId: String(move) } });
      return 'Undone.';
    });
  }

  #save(event: SubmitEvent): Promise<void> {
    const { title, tags, alt } = fieldsOf(event);
    const list = tags!.split(',').flatMap((tag) => tag.trim() || []);
    return this.#change({ action: 'edit', title, tags: list, alt }, () => {
      this.#isEdited = false;
      return 'Saved. Searches will find it by the new words in a few seconds.';
    });
  }
}

function stateOf({ hidden, blocked, rating, ratedBy, edited, source, tags }: ModeratedGif): string {
  return [
    hidden ? 'hidden' : '',
    blocked ? 'blocked' : '',
    rating === '' ? 'not rated' : `rated ${rating} by ${ratedBy}`,
    edited ? 'edited' : '',
    source === '' ? '' : `from ${source}`,
    tags.length === 0 ? '' : `tags: ${tags.join(', ')}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function renderReports(reports: ModeratedGif['reports']): TemplateResult | typeof nothing {
  if (reports.length === 0) return nothing;
  const others = reports.slice(FIRST_REPORTS);
  return html`<ul>${reports.slice(0, FIRST_REPORTS).map(renderReport)}</ul>
    ${
      others.length === 0
        ? nothing
        : html`<details><summary>${counted(others.length, 'more report')}</summary><ul>${others.map(renderReport)}</ul></details>`
    }`;
}

function renderReport({
  reason,
  message,
  contact,
  reporter,
  at,
  more,
}: ModeratedGif['reports'][number]): TemplateResult {
  return html`<li><strong>${REASONS[reason]}</strong>, ${momentOf(at)}, by <span class="long">${reporter}</span>
    ${message === '' ? nothing : html`<blockquote class="said">${message}</blockquote>`}
    ${contact === '' ? nothing : html`<br />Contact: <span class="long">${contact}</span>`}
    ${more === 0 ? nothing : html`<br />and ${more} more for the same reason`}</li>`;
}

customElements.define('gif-card', GifCard);

import type { GifAct, GifMove, ModeratedGif } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import { ApiError, ask } from '../api.ts';
import { nameOfRater, nameOfRating } from '../console/gif-words.ts';
import { API, BASE } from '../navigation.ts';
import { fieldsOf, Panel } from '../parts/panel.ts';
import { tellDecision } from '../queue/decided.ts';
import type { Key } from '../queue/keys.ts';
import { rich, say } from '../words/operators.ts';
import { momentOf } from '../words.ts';

type SimpleAct = Exclude<GifAct['action'], 'edit'>;

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
  /** The reason for the next decision. Missing or empty if there is no reason. */
  declare reason?: string;
  /** Whether the keys of the queue work. If so, the buttons name them. */
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

  /** Renders the picture. A picture that can be disturbing stays blurred until the operator asks for it. */
  #renderPicture(): TemplateResult {
    const { id, width, height } = this.gif;
    const isVeiled = this.#isVeiled;
    const address = `${API}/review/gifs/${encodeURIComponent(id)}/picture`;
    return html`<div class="veil"><img class=${isVeiled ? 'veiled' : ''} src=${address} alt="" width=${width}
        height=${height} loading="lazy" /></div>
      ${
        this.#isDisturbing
          ? html`<p><button type="button" class="plain" aria-pressed=${!isVeiled} @click=${this.#unveil}>
              ${say('unveil')}${this.#renderKey('v')}</button></p>`
          : nothing
      }`;
  }

  get #isVeiled(): boolean {
    return this.#veils ?? this.#isDisturbing;
  }

  get #isDisturbing(): boolean {
    const { reports, hidden, inReview, blocked, rating } = this.gif;
    const isReported = reports.some(({ reason }) => reason !== 'copyright');
    return isReported || hidden || inReview || blocked || rating === 'adult' || rating === 'review';
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
          ${say(`act_${action}`)}${this.#renderKey((Object.keys(ACT_KEYS) as Key[]).find((key) => ACT_KEYS[key] === action))}</button>`,
      )}
      <button type="button" class="plain edit" @click=${() => this.#edit(true)}>${say('edit')}</button>
    </p>`;
  }

  #renderKey(key: Key | undefined): TemplateResult | typeof nothing {
    return key !== undefined && this.isInQueue ? html` <kbd aria-hidden="true">${key}</kbd>` : nothing;
  }

  #renderForm(): TemplateResult {
    const { id, title, tags, alt } = this.gif;
    const key = id.replace(/\W/g, '-');
    return html`<form @submit=${this.#save}>
      <p class="field"><label for=${`title-${key}`}>${say('title')}</label>
        <input id=${`title-${key}`} name="title" maxlength="300" .value=${title} /></p>
      <p class="field"><label for=${`tags-${key}`}>${say('tags')}</label>
        <input id=${`tags-${key}`} name="tags" maxlength="5000" .value=${tags.join(', ')} /></p>
      <p class="field"><label for=${`alt-${key}`}>${say('alt')}</label>
        <input id=${`alt-${key}`} name="alt" maxlength="2000" .value=${alt} /></p>
      <p class="row">
        <button type="submit" aria-disabled=${this.busy}>${say('save')}</button>
        <button type="button" class="plain" @click=${() => this.#edit(false)}>${say('cancel')}</button>
      </p>
    </form>`;
  }

  #renderMoves(moves: GifMove[]): TemplateResult {
    return html`<details>
      <summary>${say('historyOf', { n: moves.length })}</summary>
      <ul class="moves">
        ${moves.map(
          ({ id, action, actor, at, reason, changes, undone }) => html`<li>
            ${rich(undone ? 'moveUndone' : 'moveBy', { action, date: momentOf(at), actor: html`<span class="long">${actor}</span>` })}
            ${reason === '' ? nothing : html`<br /><span class="long">${reason}</span>`}
            ${changes.map(({ what, before, after }) => html`<br />${say('changedFrom', { what, before, after })}`)}
            ${
              undone
                ? nothing
                : html`<br /><button type="button" class="plain" aria-label=${say('actOn', { act: say('undo'), thing: action })} aria-disabled=${this.busy}
                    @click=${() => this.#undo(id)}>${say('undo')}</button>`
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

  /** Performs the action of a key of the queue. */
  press(key: Key): void {
    const action = ACT_KEYS[key];
    if (key === 'v') this.#unveil();
    if (action !== undefined) void this.#do(action);
  }

  #do(action: SimpleAct): Promise<void> {
    return this.#change({ action }, () => {
      const { length } = this.gif.reports;
      const done = say(`done_${action}`);
      return action === 'safe' && length > 0 ? say('reportsOpen', { n: length, done }) : done;
    });
  }

  /** Sends an action. @param done returns the message that is shown after success */
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
      return say('undone');
    });
  }

  #save(event: SubmitEvent): Promise<void> {
    const { title, tags, alt } = fieldsOf(event);
    const list = tags!.split(',').flatMap((tag) => tag.trim() || []);
    return this.#change({ action: 'edit', title, tags: list, alt }, () => {
      this.#isEdited = false;
      return say('editSaved');
    });
  }
}

function stateOf({ hidden, inReview, blocked, rating, ratedBy, edited, source, tags }: ModeratedGif): string {
  return [
    hidden ? say('isHidden') : '',
    blocked ? say('isBlocked') : '',
    inReview ? say('isInReview') : '',
    rating === '' ? say('notRated') : say('ratedBy', { rating: nameOfRating(rating), rater: nameOfRater(ratedBy) }),
    edited ? say('isEdited') : '',
    source === '' ? '' : say('fromSource', { source }),
    tags.length === 0 ? '' : say('taggedAs', { tags: tags.join(', ') }),
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
        : html`<details><summary>${say('moreReports', { n: others.length })}</summary><ul>${others.map(renderReport)}</ul></details>`
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
  return html`<li>${rich('reportBy', { reason: say(`reported_${reason}`), date: momentOf(at), reporter: html`<span class="long">${reporter}</span>` })}
    ${message === '' ? nothing : html`<blockquote class="said">${message}</blockquote>`}
    ${contact === '' ? nothing : html`<br />${rich('contactOf', { contact: html`<span class="long">${contact}</span>` })}`}
    ${more === 0 ? nothing : html`<br />${say('moreForReason', { n: more })}`}</li>`;
}

customElements.define('gif-card', GifCard);

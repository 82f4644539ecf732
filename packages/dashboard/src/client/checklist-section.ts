import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { say } from '../words/owners.ts';
import { dateOf, listed } from '../words.ts';
import { OriginFormSection } from './access/origin-form.ts';
import { waysIn } from './standing.ts';

interface Step {
  title: string;
  isDone: boolean;
  told: TemplateResult | string;
  /** The link or button that does the step. */
  action: TemplateResult | typeof nothing;
  /** The form for this step. It is shown if this is the next step. */
  form?: TemplateResult;
}

/** The steps from registering a client to its first request, each with its state and the way to do it. */
class ChecklistSection extends OriginFormSection {
  readonly #usage = new Loaded(this, () => ask('usage', { path: { clientId: this.client.id } }));

  override render() {
    const steps = [this.#terms(), ...this.#payment(), this.#wayIn(), this.#request()];
    const next = steps.find(({ isDone }) => !isDone);
    return html`<section class="card" aria-labelledby="checklist">
      <h2 id="checklist">${next ? say('setUp') : say('allSetUp')}</h2>
      ${this.renderDone()}
      <ol class="steps">${steps.map((step) => renderStep(step, step === next))}</ol>
    </section>`;
  }

  #terms(): Step {
    const { terms } = this.client;
    const title = say('terms');
    if (terms === null) return { title, isDone: true, told: say('byOperator'), action: nothing };
    const date = dateOf(terms.acceptedAt);
    if (terms.version === this.site.terms.version) {
      return { title, isDone: true, told: say('acceptedOn', { date }), action: nothing };
    }
    return {
      title,
      isDone: false,
      told: say('acceptedChanged', { date }),
      action: this.#link('/settings', say('readTerms')),
    };
  }

  /** There is no such step where registering is free. */
  #payment(): Step[] {
    const { sats } = this.site.fee;
    const isDone = this.client.state !== 'unpaid';
    if (sats === 0) return [];
    return [
      {
        title: say('payment'),
        isDone,
        told: isDone ? say('nothingToPay') : say('satsOnce', { n: sats }),
        action: isDone ? nothing : this.#link('/pay', say('payTitle')),
      },
    ];
  }

  #wayIn(): Step {
    const ways = waysIn(this.client, Date.now());
    const isDone = ways.length > 0;
    const waiting = this.client.requests.filter(({ kind }) => kind !== 'owner').length;
    const missing = waiting > 0 ? say('addWayWaiting', { n: waiting }) : say('addWay');
    return {
      title: say('access'),
      isDone,
      told: isDone ? say('waysIn', { ways: listed(ways) }) : missing,
      action: this.#link('/access', isDone ? say('change') : say('createKey')),
      form: this.renderOriginForm(),
    };
  }

  #request(): Step {
    const seen = this.#usage.value?.days.filter(({ requests }) => requests > 0) ?? [];
    const total = seen.reduce((sum, { requests }) => sum + requests, 0);
    const told = this.#usage.render(() =>
      total > 0
        ? html`${say('requestsSeen', { n: total, date: dateOf(Date.parse(seen[0]!.day)) })}`
        : html`${say('requestsNone')}`,
    );
    const again = html`<button type="button" class="plain" @click=${() => this.#usage.reload()}>${say('checkAgain')}</button>`;
    return {
      title: say('firstRequest'),
      isDone: total > 0,
      told,
      action: total > 0 ? this.#link('/usage', say('seeUsage')) : again,
    };
  }

  #link(path: string, name: string): TemplateResult {
    return html`<a href=${`${BASE}/clients/${this.client.id}${path}`}>${name}</a>`;
  }
}

function renderStep({ title, isDone, told, action, form }: Step, isNext: boolean): TemplateResult {
  const state = isDone ? 'done' : isNext ? 'next' : 'later';
  return html`<li class="step" data-step=${state}>
    <span class="grow"><strong>${title}</strong> <span class="state">${say(`step_${state}`)}</span>
      <span class="told">${told}</span></span>
    ${action} ${isNext && form ? html`<div class="form">${form}</div>` : nothing}
  </li>`;
}

customElements.define('checklist-section', ChecklistSection);

import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../api.ts';
import { BASE } from '../navigation.ts';
import { Loaded } from '../parts/loaded.ts';
import { count, counted, dateOf, listed } from '../words.ts';
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
      <h2 id="checklist">${next ? 'Set it up' : 'All set up'}</h2>
      ${this.renderDone()}
      <ol class="steps">${steps.map((step) => renderStep(step, step === next))}</ol>
    </section>`;
  }

  #terms(): Step {
    const { terms } = this.client;
    const title = 'Terms';
    if (terms === null) return { title, isDone: true, told: 'An operator registered this client.', action: nothing };
    const told = `You accepted them on ${dateOf(terms.acceptedAt)}`;
    if (terms.version === this.site.terms.version) return { title, isDone: true, told: `${told}.`, action: nothing };
    return {
      title,
      isDone: false,
      told: `${told}, and they have changed since. Your client keeps working, and you do not pay again.`,
      action: this.#link('/settings', 'Read the new terms'),
    };
  }

  /** There is no such step where registering is free. */
  #payment(): Step[] {
    const { sats } = this.site.fee;
    const isDone = this.client.state !== 'unpaid';
    if (sats === 0) return [];
    return [
      {
        title: 'Payment',
        isDone,
        told: isDone ? 'Nothing is left to pay.' : `${count(sats)} sats, once, by Lightning.`,
        action: isDone ? nothing : this.#link('/pay', 'Pay the fee'),
      },
    ];
  }

  #wayIn(): Step {
    const ways = waysIn(this.client, Date.now());
    const isDone = ways.length > 0;
    const waiting = this.client.requests.filter(({ kind }) => kind !== 'owner').length;
    const missing = 'Add the origin of your web page, or create a key for anything else.';
    return {
      title: 'Access',
      isDone,
      told: isDone
        ? `${listed(ways)}.`
        : `${missing}${waiting > 0 ? ` ${counted(waiting, 'request')} for review.` : ''}`,
      action: this.#link('/access', isDone ? 'Change' : 'Create a key'),
      form: this.renderOriginForm(),
    };
  }

  #request(): Step {
    const seen = this.#usage.value?.days.filter(({ requests }) => requests > 0) ?? [];
    const total = seen.reduce((sum, { requests }) => sum + requests, 0);
    const told = this.#usage.render(() =>
      total > 0
        ? html`${counted(total, 'request')} in the last 30 days, the latest on ${dateOf(Date.parse(seen[0]!.day))}.`
        : html`None has been counted in the last 30 days. Send one with an example below.`,
    );
    const again = html`<button type="button" class="plain" @click=${() => this.#usage.reload()}>Check again</button>`;
    return {
      title: 'First request',
      isDone: total > 0,
      told,
      action: total > 0 ? this.#link('/usage', 'See the usage') : again,
    };
  }

  #link(path: string, name: string): TemplateResult {
    return html`<a href=${`${BASE}/clients/${this.client.id}${path}`}>${name}</a>`;
  }
}

function renderStep({ title, isDone, told, action, form }: Step, isNext: boolean): TemplateResult {
  const state = isDone ? 'done' : isNext ? 'next' : 'later';
  return html`<li class="step" data-step=${state}>
    <span class="grow"><strong>${title}</strong> <span class="state">${state}</span>
      <span class="told">${told}</span></span>
    ${action} ${isNext && form ? html`<div class="form">${form}</div>` : nothing}
  </li>`;
}

customElements.define('checklist-section', ChecklistSection);

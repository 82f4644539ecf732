import { html } from 'lit';
import { Panel } from '../parts/panel.ts';
import './find-section.ts';
import './doubtful-section.ts';
import './handovers-section.ts';
import './orders-section.ts';
import { say } from '../words/operators.ts';

/** The clients, and everything about them that operators review. */
class ReviewPage extends Panel {
  override render() {
    return html`<h1>${say('clients')}</h1>
      <handovers-section></handovers-section>
      <doubtful-section></doubtful-section>
      <find-section></find-section>
      <orders-section></orders-section>`;
  }
}

customElements.define('review-page', ReviewPage);

import { html } from 'lit';
import { Panel } from '../parts/panel.ts';
import './find-section.ts';
import './orders-section.ts';
import './queue-section.ts';
import { BASE } from '../navigation.ts';

/** Everything that operators review. */
class ReviewPage extends Panel {
  override render() {
    return html`<h1>Review</h1>
      <p><a href="${BASE}/review/audit">Audit log</a></p>
      <p><a href="${BASE}/review/gifs">GIFs that are reported, uncertain, withheld or hidden</a></p>
      <queue-section></queue-section>
      <find-section></find-section>
      <orders-section></orders-section>`;
  }
}

customElements.define('review-page', ReviewPage);

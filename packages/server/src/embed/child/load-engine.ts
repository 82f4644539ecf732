import type { Engine } from './engine.ts';
import type { EngineOptions } from './protocol.ts';

/** Loads an engine. Imports only the selected engine, because each engine imports large libraries. */
export async function loadEngine(options: EngineOptions): Promise<Engine> {
  switch (options.provider) {
    case 'bundled':
      return (await import('./bundled.ts')).loadBundled();
    case 'onnx':
      return (await import('./onnx.ts')).loadOnnx(options.folder, options.settings);
    case 'http':
      return (await import('./http.ts')).openHttp(options);
  }
}

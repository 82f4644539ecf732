import type { Engine } from './engine.ts';
import type { EngineOptions } from './protocol.ts';

/** Loads an engine; each brings large libraries, so only the one in use is imported. */
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

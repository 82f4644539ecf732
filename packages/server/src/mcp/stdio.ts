import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer, type ToolParts } from './tools.ts';

/** Answers the program that started this process, on standard input and output, until that program closes the input. */
export function serveOverStdio(parts: ToolParts): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('close', resolve).once('end', resolve);
  });
  serveStdio(() => createServer(parts));
  return ended;
}

import { createMcpHandler } from '@modelcontextprotocol/server';
import { createServer, type ToolParts } from './tools.ts';

export type { Picture } from './tools.ts';

/** Answers one HTTP request. @param body the parsed body @param parts the tools of this caller */
export type AnswerRequest = (request: Request, body: unknown, parts: ToolParts) => Promise<Response>;

/**
 * Returns a function that answers requests of the transport "streamable HTTP", without sessions: requests do not depend
 * on each other, so any thread and any machine can answer a request.
 */
export function answerOverHttp(): AnswerRequest {
  return async (request, parsedBody, parts) => {
    const handler = createMcpHandler(() => createServer(parts));
    try {
      const response = await handler.fetch(request, { parsedBody });
      return new Response(await response.arrayBuffer(), response);
    } finally {
      await handler.close();
    }
  };
}

import net from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request in the form in which it is sent. */
export interface RawRequest {
  /** The part before the body, including the empty line. Each character is one byte (Latin-1). */
  head: string;
  body?: string;
}

const CONTINUE = 100;

/**
 * Sends all requests together on one connection, and reads responses until the service closes it. Therefore the last
 * request should ask the service to close the connection. Requests are not checked, so a test can send requests that no
 * HTTP client would send.
 */
export async function sendRaw(
  url: string,
  requests: readonly RawRequest[],
  localAddress?: string,
): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port), localAddress });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // After refusing a request, a service can close the connection before it has read the whole request. The response
  // still counts.
  socket.on('error', () => {});
  socket.write(Buffer.from(requests.map(({ head, body = '' }) => head + body).join(''), 'latin1'));
  // `once` of node:events would reject at an error.
  await new Promise((resolve) => socket.once('close', resolve));
  return readAnswers(Buffer.concat(chunks), requests);
}

function readAnswers(bytes: Buffer, requests: readonly RawRequest[]): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end < 0) throw new Error(`${answers.length} responses, then ${bytes.toString('latin1', at, at + 100)}`);
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n');
    const status = Number(first.split(' ')[1]);
    at = end + 4;
    if (status === CONTINUE) continue;
    const headers = Object.fromEntries(lines.map(readHeader));
    const isHead = requests[answers.length]?.head.startsWith('HEAD ') ?? false;
    const length = isHead || status === 204 || status === 304 ? 0 : Number(headers['content-length'] ?? 0);
    answers.push({ status, headers, body: bytes.toString('utf8', at, at + length) });
    at += length;
  }
  return answers;
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

import type { MemberUpload } from '@zoetrope/contract/account';
import type { FastifyReply } from 'fastify';

/** What clients of Blossom know about a file (BUD-02). */
export interface BlobDescriptor {
  url: string;
  sha256: string;
  size: number;
  type: string;
  /** Seconds since the Unix epoch. */
  uploaded: number;
}

export function descriptorOf({ sha256, bytes, format, at }: MemberUpload, mediaUrl: string): BlobDescriptor {
  const url = `${mediaUrl}/${sha256}.${format}`;
  return { url, sha256, size: bytes, type: `image/${format}`, uploaded: Math.floor(at / 1_000) };
}

export function sendJson(reply: FastifyReply, body: BlobDescriptor | BlobDescriptor[]): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body));
}

import { askDomain, ProofError } from '../../../packages/server/src/account/proofs/nip05.ts';
import { HAS_OPENSSL, startDomains } from '../../../packages/server/src/account/testing/domains.ts';
import { drawJson } from '../change-json.ts';
import { changeText } from '../change-text.ts';
import type { Random } from '../draw.ts';
import { type Checker, Fault, Late } from '../target.ts';
import { type Answer, drawAnswer, sendAnswer } from './answers.ts';

const DOMAIN = 'wisp.example';
const PUBKEY = 'ab'.repeat(32);

interface Question {
  domain: string;
  name: string;
  answer: Answer;
}

/** @throws Error if openssl is missing. It is needed to make the domain's certificate */
export async function openNip05(): Promise<Checker<Question>> {
  if (!HAS_OPENSSL) throw new Error('install openssl, or name the other targets');
  const { options, answers } = await startDomains([DOMAIN]);
  const waiting = new Map<string, Answer>();
  answers.set(DOMAIN, (request, response) => {
    const name = new URL(request.url!, 'https://here').searchParams.get('name') ?? '';
    const answer = waiting.get(name);
    if (answer === undefined) response.writeHead(404).end();
    else sendAnswer(response, answer);
  });
  return {
    draw: drawQuestion,
    async check({ domain, name, answer }) {
      waiting.set(name, answer);
      try {
        const pubkey = await askDomain(domain, name, options);
        if (!/^[\da-f]{64}$/.test(pubkey)) throw new Fault(`${pubkey} is not a public key`);
        return 'proven';
      } catch (error) {
        if (!(error instanceof ProofError)) throw error;
        // The server always responds immediately, so a timeout means that the check was late.
        if (error.failure === 'timed_out') throw new Late();
        return error.failure;
      } finally {
        waiting.delete(name);
      }
    },
  };
}

/** The server chooses the response by the name. */
function drawQuestion(random: Random, number: number): Question {
  const name = `n${number}`;
  const document = {
    names: { [name]: PUBKEY, _: PUBKEY, bob: 'cd'.repeat(32) },
    relays: { [PUBKEY]: ['wss://a.example'] },
  };
  const answer = drawAnswer(random, drawJson(random, document));
  if (random() < 0.95) return { domain: DOMAIN, name, answer };
  return { domain: changeText(random, DOMAIN), name: changeText(random, name), answer };
}

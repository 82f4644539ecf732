import { type Run, toFigures } from '../metrics/figures.ts';
import type { Plan, Question, Scored } from '../questions/question.ts';
import { type Client, NotRunning } from './client.ts';
import type { Progress } from './progress.ts';

/** Number of concurrent questions. It is enough to keep two cores busy. */
const CONCURRENCY = 4;

/**
 * Asks all questions of a plan, in order. Stops at the first 503, because it means that the needed part of the service
 * is not running.
 */
export async function runPlan(plan: Plan, client: Client, progress: Progress): Promise<Run> {
  const { set, channel, questions = [] } = plan;
  const run: Run = { set, channel, state: 'absent', answers: 0, semantic: 0, figures: [] };
  if (questions.length === 0) return { ...run, reason: plan.reason ?? 'no question of this half' };
  try {
    const scored = await askAll(questions, (question) => question.ask(client, channel), progress);
    const semantic = scored.filter((score) => score.semantic).length;
    const figures = toFigures(set, channel, questions, scored);
    return { ...run, state: 'measured', answers: scored.length, semantic, figures };
  } catch (error) {
    if (!(error instanceof NotRunning)) throw error;
    return { ...run, state: 'not running', reason: error.message };
  } finally {
    progress.finish(plan);
  }
}

async function askAll(
  questions: readonly Question[],
  ask: (question: Question) => Promise<Scored>,
  progress: Progress,
): Promise<Scored[]> {
  const scored: Scored[] = [];
  let next = 0;
  let failed = false;
  const worker = async () => {
    while (next < questions.length && !failed) {
      const at = next++;
      try {
        scored[at] = await ask(questions[at]!);
      } catch (error) {
        failed = true;
        throw error;
      }
      progress.step();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return scored;
}

export { type AnswerRequest, answerOverHttp, type Picture } from './http.ts';
export { serveOverStdio } from './stdio.ts';

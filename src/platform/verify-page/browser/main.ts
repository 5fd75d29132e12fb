/**
 * The only script of the verifier page: the page itself, and its Worker, which runs the same text.
 */
import { answerPage } from '../session/worker.ts';
import { startPage } from './page.ts';

// A Worker has no document.
const script = globalThis.document?.currentScript?.textContent;
if (script == null) answerPage();
else startPage(script);

import { createHash } from 'node:crypto';
import { FORM_STYLE } from '../page/form-style.ts';
import { html, styleElement } from '../page/html.ts';
import { SIGN } from '../page/sign.ts';
import { STYLE } from '../page/style.ts';
import { SCRIPT } from './script.ts';
import { VERIFY_STYLE } from './style.ts';

/** What a page is made with. */
export interface VerifyPageOptions {
  /** The text of the list of trusted keys; null for none. */
  keys: string | null;
  /** The text of the policy; null for none. */
  policy: string | null;
  /**
   * Whether a service serves the page: it then says so first, and may read documents of its origin. A saved
   * page never connects to anything.
   */
  isServed: boolean;
}

/** The page without anything that it trusts, whose digest a release states. */
export const PLAIN: VerifyPageOptions = { keys: null, policy: null, isServed: false };

const CSS = STYLE + FORM_STYLE + VERIFY_STYLE;
const TEXT = SCRIPT.trim().replaceAll('</script', '<\\/script');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Returns the content security policy of a page: its script and its style by their hashes, its Worker. */
export function verifyPagePolicy({ isServed }: VerifyPageOptions): string {
  return (
    `default-src 'none'; script-src ${hashOf(TEXT)}; style-src ${hashOf(CSS)}; worker-src blob:; ` +
    `${isServed ? "connect-src 'self'; " : ''}img-src data:; base-uri 'none'; form-action 'none'`
  );
}

/**
 * Returns the verifier page: one HTML file that needs no other, and judges with src/proof. The same options
 * give the same bytes.
 * @param notice what a demonstration or a test service says first; null for nothing
 */
export function verifyPage(options: VerifyPageOptions, notice: string | null = null): string {
  const { text: before } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${verifyPagePolicy(options)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Verify receipts</title>
<link rel="icon" href="data:,">
${styleElement(CSS)}
</head>
<body>
${notice === null ? null : html`<p class="notice" role="note">${notice}</p>\n`}${options.isServed ? SERVED : null}${bodyOf(options)}
`;
  return `${before}<script type="application/json" id="baked">${embedded(options)}</script>
<script>${TEXT}</script>
</body>
</html>
`;
}

/** Returns JSON for the inside of a script element: nothing in it ends the element, or a line of a script. */
function embedded({ keys, policy, isServed }: VerifyPageOptions): string {
  return JSON.stringify({ keys, policy, isServed }).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const SERVED = html`<p class="served" role="note">This page comes from the service that it judges. <a href="/verify.html" download>Save verify.html</a>, compare its SHA-256 with the one in the release notes, and open the saved file.</p>
<header class="top"><div><a class="brand" href="/">${SIGN} Countersign</a></div></header>
`;

const bodyOf = ({ keys, policy, isServed }: VerifyPageOptions) => html`<main>
<h1>Verify receipts</h1>
<p class="lead">Choose, drop or paste receipts and other signed documents, with the list of keys that you trust. They are judged at once, on this device.${isServed ? null : ' This page never connects to anything.'}</p>
${keys === null && policy === null ? null : html`<p>${madeWith(keys, policy)}</p>\n`}<noscript><p class="alert warn">This page needs JavaScript. Or use <code>countersign verify</code>.</p></noscript>
<div id="start" hidden>
<div class="drop">
<div class="field">
<label for="files">Files</label>
<input type="file" id="files" multiple aria-describedby="files-hint">
<p class="hint" id="files-hint">Or drop them anywhere. Several at once: documents, their proofs and statuses, journals, keys, a policy. What each is follows from its content.</p>
</div>
<div class="field">
<label for="text">Or paste a document</label>
<textarea id="text" rows="2" spellcheck="false" autocomplete="off" autocapitalize="off"></textarea>
</div>
<fieldset>
<legend class="hidden">Options</legend>
<label class="choice"><input type="checkbox" id="fresh" autocomplete="off"><span>The status of a bundle must be valid now (--fresh)</span></label>
<label class="choice"><input type="checkbox" id="any-log" autocomplete="off"><span>Accept any log of the keys, where nothing names the one that is meant (--any-log)</span></label>
</fieldset>
</div>
<h2>Results</h2>
<div class="bar"><p id="status" role="status"></p><button type="button" class="slim" id="clear" hidden>Remove all</button></div>
<p class="soft" id="trusted"></p>
<div id="results"></div>
</div>
<h2>What a verdict is worth</h2>
<ul>
<li>The verdicts and sentences are those of <code>countersign verify</code>, of which this page has the code. Words such as <code>--status</code> name its options: here, add the file.</li>
<li>A verdict is worth as much as the list of keys. Get it from the service yourself (<code>GET /api/v1/transparency/keys</code>), not from who gave you the document.</li>
<li>The time is that of this device. Nothing is sent, and nothing is stored: a page that is opened again has no files.</li>
<li>Copies of logs need <code>countersign verify</code>: with <code>--log</code>, <code>--revocations</code>, <code>--complete</code>, and of lists of keys.</li>
</ul>
</main>`;

function madeWith(keys: string | null, policy: string | null): string {
  const parts = [keys === null ? null : 'a list of keys', policy === null ? null : 'a policy'];
  return `This page was made with ${parts.filter((part) => part !== null).join(' and ')}. No other counts here.`;
}

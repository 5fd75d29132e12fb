import { type Html, html } from '../../../../platform/page/html.ts';

/**
 * Returns the ways to begin.
 * @param url of the service, without a slash at its end
 * @param apiKey the key of a demonstration; null for any other service
 */
export function beginnings(url: string, apiKey: string | null): Html {
  const issue = `curl ${url}/api/v1/receipts \\
  -H 'Authorization: Bearer ${apiKey ?? '<API key>'}' \\
  -H 'Content-Type: application/json' \\
  -d '{"agent_id": "agent-7", "receipt_type": "custody",
       "domain": "CODE_GENERATION",
       "authority_scope": "repository:write",
       "input_digest": "${EXAMPLE_DIGEST}",
       "expiry": "2036-01-31T12:00:00Z"}'`;
  const verify = `curl -o keys.json \\
  ${url}/api/v1/transparency/keys
countersign verify receipt.json \\
  --keys keys.json --proof ${url}`;
  return html`<section><h2>Begin</h2>
<div class="ways">
<section class="card first"><h3>Issue a receipt</h3>
<p class="soft">${apiKey === null ? html`You need an API key: <a href="/billing">subscribe</a>, or ask the administrator.` : 'The key of this demonstration is filled in.'}</p>
<pre>${issue}</pre>
<p>The response is a signed receipt, which is pending. When the work has ended, <code>POST /api/v1/receipts/{id}/finalize</code> says how, with
a digest of the output. The final receipt is in the log within a second.</p></section>
<section class="card"><h3>Verify one</h3>
<p class="soft">Without this service, when you have saved its keys.</p>
<pre>${verify}</pre></section>
<section class="card"><h3>Record an MCP server</h3>
<p class="soft">Without a change of it: each call of a tool gets a receipt before it is made.</p>
<pre>countersign login ${url}
countersign mcp -- npx -y SERVER</pre></section>
<section class="card"><h3>Try everything</h3>
<p class="soft">Every operation, with examples that work, in the browser.</p>
<p><a class="button primary" href="/swagger">Open the API</a></p>
<p><a href="/openapi.json">OpenAPI document</a>, to generate a client</p></section>
</div></section>
`;
}

/** SHA-256 of no input. */
const EXAMPLE_DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * A program that Node, Bun and browsers run by the built SDK: issues, finalizes and verifies a receipt, and
 * sends evidence of an agent that authorizes a call.
 */
const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export async function run({ trust, verifier, url, apiKey, audience }) {
  const client = new trust.TrustClient({ url, apiKey, audience });
  const issued = await client.receipts.issue({
    agent_id: 'agent-7',
    receipt_type: 'custody',
    input_digest: DIGEST,
    authority_scope: 'payments:read',
    expiry: '2036-01-31T12:00:00Z',
    domain: 'CODE_GENERATION',
  });
  const receipt = await client.receipts.finalize(issued.receipt_id, { status: 'success', output_hash: DIGEST });
  const keys = await client.keys.list();
  const status = await client.receipts.status(receipt.receipt_id);
  const judged = await verifier.verify(receipt, { keys, status });
  const changed = await verifier.verify({ ...receipt, authority_scope: 'payments:write' }, { keys });
  const pem = trust.AgentKey.generate().toPem();
  const agent = new trust.SigningAgent(trust.AgentKey.fromPem(pem));
  const signed = agent.sign({ a: [1, 'ü'] });
  const authorized = agent.authorize({ method: 'PUT', path: '/a', audience: 'a+b' }, { name: 'Ada' });
  const refused = await client.receipts
    .get('rcpt_unknown')
    .catch((error) => `${error.constructor.name}: ${error.code}`);
  return {
    verdict: judged.sentence.split(':')[0],
    checked: judged.checked,
    changed: changed.verdict,
    signature: signed.signature.length,
    nonce: authorized.agent_auth.nonce.length,
    refused,
  };
}

if (typeof process !== 'undefined' && process.argv[2] !== undefined) {
  const [, , folder, url, apiKey] = process.argv;
  const trust = await import(`${folder}/trust.js`);
  const verifier = await import(`${folder}/verify.js`);
  process.stdout.write(JSON.stringify(await run({ trust, verifier, url, apiKey })));
}

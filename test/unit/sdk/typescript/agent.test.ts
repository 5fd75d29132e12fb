import { expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { digest } from '../../../../src/proof/encoding/digest.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { verifyStrict } from '../../../../src/proof/keys/ed25519.ts';
import { SigningAgent } from '../../../../src/sdk/typescript/agent.ts';
import { AgentKey } from '../../../../src/sdk/typescript/agent-key.ts';

const agent = new SigningAgent(AgentKey.generate(), 'tests');
const isSigned = (object: Record<string, string | null>, signature: string): boolean =>
  verifyStrict(
    nativePrimitives,
    hexToBytes(signature),
    Buffer.from(digest(nativePrimitives, object)),
    hexToBytes(agent.key.publicKey),
  );

test('evidence and a photo are signed as the service verifies them', () => {
  const payload = { sha: 'ab'.repeat(20) };
  const { signature, source_type } = agent.evidence('github_commit_payload', payload);
  expect([source_type, isSigned(payload, signature)]).toEqual(['github_commit_payload', true]);
  const photo = {
    photo_url: 'https://a.example/x',
    photo_content_sha256: 'ab',
    photo_mime_type: 'image/png',
  };
  const shown = agent.presentation(photo);
  expect(shown).toMatchObject(photo);
  expect(isSigned({ subject_commitment: agent.commitment, ...photo }, shown.signature)).toBe(true);
});

test('what could be mistaken for another signed object is not signed as evidence', () => {
  const other = { type: 'passport', subject_commitment: agent.commitment };
  expect(() => agent.evidence('task_deliverable', other)).toThrow('Nothing was signed');
});

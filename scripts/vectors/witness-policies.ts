import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { formatVerifierKey, keyIdOf, SIGNATURE_TYPES } from '../../src/proof/log/note.ts';
import { NEUTRAL } from '../../test/support/lax-signatures.ts';
import { type TestKey, testKey, verifierOf } from '../../test/support/small-log.ts';

/** A policy, and whether a verifier takes it. */
export interface PolicyCase {
  name: string;
  policy: string;
  valid: boolean;
}

const { ed25519, cosignature, mlDsa44 } = SIGNATURE_TYPES;
const keyOf = (public_key: string, name: string, type: number): string => {
  const publicKey = new Uint8Array(Buffer.from(public_key, 'hex'));
  return formatVerifierKey({
    name,
    type,
    publicKey,
    keyId: keyIdOf(nativePrimitives, name, type, publicKey),
  });
};
const typed = (key: TestKey, name: string, type: number): string => keyOf(key.public_key, name, type);
const N = typed(testKey(0x0b), 'north.example/w1', cosignature);
const S = typed(testKey(0x0c), 'south.example/w1', cosignature);
const LOG = formatVerifierKey(verifierOf(testKey(2), 'receipts.example/receipts'));
const two = `witness n ${N}\nwitness s ${S}\n`;
const none = 'quorum none\n';

const good = (name: string, policy: string): PolicyCase => ({ name, policy, valid: true });
const bad = (name: string, policy: string): PolicyCase => ({ name, policy, valid: false });

/** Policies at the limits of their syntax. */
export const POLICY_CASES: readonly PolicyCase[] = [
  good('nothing demanded', none),
  bad('nothing', ''),
  bad('no quorum', two),
  bad('two quorums', `${none}${none}`),
  bad('no line end', none.trimEnd()),
  bad('a carriage return', 'quorum none\r\n'),
  bad('U+007F', `# \u007f\n${none}`),
  good('U+0085 in a comment', `# \u0085\n${none}`),
  bad('a byte order mark', `\ufeff${none}`),
  good('tabs, spaces and empty lines', ` \n\t# x\n\t${two} quorum \t n \n`),
  bad('a comment after a line', `${two}quorum n # x\n`),
  bad('another word', `${none}threshold 2\n`),
  bad('a keyword in capitals', `${none.toUpperCase()}`),
  good('a URL', `witness n ${N} https://north.example\nlog ${LOG} https://receipts.example/log\n${none}`),
  bad('two URLs', `witness n ${N} https://north.example x\n${none}`),
  bad('a witness without a key', `witness n\n${none}`),
  bad('a witness called none', `witness none ${N}\n${none}`),
  good('a witness called any', `witness any ${N}\nquorum any\n`),
  bad('a name twice', `witness n ${N}\nwitness n ${S}\n${none}`),
  bad('a group with the name of a witness', `${two}group n 1 s\n${none}`),
  bad('a key twice', `witness n ${N}\nwitness s ${N}\n${none}`),
  bad(
    'a key twice, under two names',
    `witness n ${N}\nwitness s ${typed(testKey(0x0b), 's', cosignature)}\n${none}`,
  ),
  bad('a key of a log twice', `log ${LOG}\nlog ${LOG}\n${none}`),
  good('the witness that is the quorum', `${two}quorum s\n`),
  bad('a quorum that nobody defines', `${two}quorum w\n`),
  bad('a quorum before its definition', `quorum n\n${two}`),
  good('a quorum before other lines', `witness n ${N}\nquorum n\nwitness s ${S}\n`),
  good('a group of one', `${two}group g 1 n\nquorum g\n`),
  good('a quorum that is a member', `${two}group g any n s\nquorum n\n`),
  bad('a group of none', `${two}group g any\n${none}`),
  bad('a group of 0', `${two}group g 0 n s\n${none}`),
  bad('a group of 3 of 2', `${two}group g 3 n s\n${none}`),
  bad('a leading zero', `${two}group g 01 n s\n${none}`),
  bad('a member twice', `${two}group g 1 n n\n${none}`),
  bad('a member of two groups', `${two}group g 1 n\ngroup h 1 n\n${none}`),
  bad('a member before its definition', `group g 1 n\n${two}${none}`),
  bad('a group in itself', `${two}group g 1 g\n${none}`),
  bad('a log with the type of witnesses', `log ${N}\n${none}`),
  bad('a witness with the type of logs', `witness n ${LOG}\n${none}`),
  good(
    'a log with an ML-DSA-44 key',
    `log ${typed(testKey(2, 'ML-DSA-44'), 'x/receipts', mlDsa44)}\n${none}`,
  ),
  good(
    'a witness with an ML-DSA-44 key',
    `witness n ${typed(testKey(0x0d, 'ML-DSA-44'), 'x', mlDsa44)}\n${none}`,
  ),
  bad('a short ML-DSA-44 key', `witness n ${typed(testKey(0x0d), 'x', mlDsa44)}\n${none}`),
  bad('a long Ed25519 key', `log ${typed(testKey(2, 'ML-DSA-44'), 'x/receipts', ed25519)}\n${none}`),
  bad('an unknown type', `witness n ${typed(testKey(0x0d), 'x', 5)}\n${none}`),
  bad('a key of small order', `witness n ${keyOf(NEUTRAL, 'x', cosignature)}\n${none}`),
  bad('another key id', `witness n ${N.replace('+6a', '+6b')}\n${none}`),
  bad('a key id in upper case', `witness n ${N.replace('+6a1666ee', '+6A1666EE')}\n${none}`),
  bad(
    'base64 that is not canonical',
    `witness n ${typed(testKey(0x0d, 'ML-DSA-44'), 'x', mlDsa44)}=\n${none}`,
  ),
  bad('a key without a name', `witness n ${typed(testKey(0x0b), '', cosignature)}\n${none}`),
  bad(
    'the name of a key with a no-break space',
    `witness n ${typed(testKey(0x0b), 'a\u00a0b', cosignature)}\n${none}`,
  ),
];

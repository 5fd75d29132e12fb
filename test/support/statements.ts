import { createHash, createPublicKey, verify } from 'node:crypto';
import type { TrustApp } from './trust-app.ts';

/*
 * Verification of what the service signs, as a stranger writes it with Node.js alone: it shares no code with the service.
 */

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
type Signed = Record<string, unknown>;

/**
 * Canonical JSON by RFC 8785: JavaScript writes numbers and strings in its form, and sorts by UTF-16 code
 * units.
 */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(',')}}`;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface PublishedKey {
  kid: string;
  purpose: string;
  public_key: string;
}

async function publishedKeys({ anyone }: Pick<TrustApp, 'anyone'>): Promise<PublishedKey[]> {
  return Object((await anyone.get('/api/v1/transparency/keys')).body.keys);
}

/** Whether the key of purpose `credentials` with this kid signed a text. */
function isTextSignedBy(keys: PublishedKey[], text: string, { kid, signature }: Signed): boolean {
  const key = keys.find((one) => one.kid === kid && one.purpose === 'credentials');
  if (key === undefined) return false;
  const x = Buffer.from(key.public_key, 'hex').toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(text), publicKey, Buffer.from(String(signature), 'hex'));
}

/** The 64 characters that the signature in an object signs: of all members but `signature` and `kid`. */
function messageOf({ signature: _signature, kid: _kid, ...signed }: Signed): string {
  return sha256(canonical(JSON.parse(JSON.stringify(signed))));
}

/** Whether one of the keys signed an object, by the rule of every signed response. */
export function isSignedBy(keys: PublishedKey[], object: Signed): boolean {
  return isTextSignedBy(keys, messageOf(object), object);
}

/** Whether a published key of the service signed an object. */
export async function isSigned(app: Pick<TrustApp, 'anyone'>, object: Signed): Promise<boolean> {
  return isSignedBy(await publishedKeys(app), object);
}

/**
 * Every object that differs from one in a single value, a missing member or an added member, at any depth,
 * with where it differs.
 */
export function tampered(object: Signed): [path: string, changed: Signed][] {
  return changesOf(JSON.parse(JSON.stringify(object)), '').map(([path, changed]) => [path, Object(changed)]);
}

function changesOf(value: Json, path: string): [string, Json][] {
  if (Array.isArray(value)) {
    return [
      [`${path}[]`, [...value, null]],
      ...value.flatMap((item, at) =>
        changesOf(item, `${path}[${at}]`).map(([where, changed]): [string, Json] => [
          where,
          value.with(at, changed),
        ]),
      ),
    ];
  }
  if (value !== null && typeof value === 'object') {
    return [
      [`${path}.added`, { ...value, added: 1 }],
      ...Object.entries(value).flatMap(([name, member]): [string, Json][] => {
        const { [name]: _removed, ...rest } = value;
        return [
          [`${path}.${name} removed`, rest],
          ...changesOf(member, `${path}.${name}`).map(([where, changed]): [string, Json] => [
            where,
            { ...value, [name]: changed },
          ]),
        ];
      }),
    ];
  }
  return [[path, otherThan(value)]];
}

function otherThan(value: null | boolean | number | string): Json {
  if (typeof value === 'number') return value === 0 ? 1 : value - value / 2;
  if (typeof value === 'boolean') return !value;
  if (value === null || value === '') return 'x';
  return `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`;
}

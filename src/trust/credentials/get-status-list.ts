import { gzipSync } from 'node:zlib';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { encodeBitstring, LIST_BYTES, LIST_ENTRIES, setBit } from '../../proof/credential/bitstring.ts';
import { commonErrors } from '../http/errors.ts';
import { statementTime } from '../log/clock/dates.ts';
import type { Signer, SigningKey } from '../log/keys/signing/signer.ts';
import { refuseReadOnly } from '../log/keys/signing/statements.ts';
import { readAuthorityMark } from '../operators/auth/authority-mark.ts';
import type { CredentialCache, SignedText } from './cache.ts';
import { type DocumentContext, signCredential, statusListUrl } from './document.ts';
import { credentialsErrors } from './errors.ts';
import { revokedEntries, type StatusListRow, statusListBy } from './status-store.ts';

export type StatusListContext = DocumentContext & {
  store: Store;
  clock: Clock;
  clockWatch: ClockWatch;
  readOnly: boolean;
  credentialCache: CredentialCache;
};

/** A list is signed again after this time; verifiers may rely on it for as long. */
const STATUS_TTL_MS = 60_000;

const VALIDITY_MS = 24 * 3600_000;

/** The entries that one read examines: about 3 ms for a full list. */
const ENTRIES_READ = 8192;

/**
 * Returns a status list as it is sent: a BitstringStatusListCredential of purpose revocation (W3C Bitstring
 * Status List). The key of its credentials signed it at most a minute ago.
 * @throws ApiError not_found; status_list_ended; clock_wrong; ReadOnly
 */
export function getStatusList(trust: StatusListContext, listSeq: number): SignedText | Promise<SignedText> {
  const { clock, credentialCache } = trust;
  const known = credentialCache.lists.get(listSeq);
  const now = clock.now();
  const isFresh = known !== null && known.from <= now && now < known.until;
  if (isFresh && keyOf(trust, known.keySeq).status !== 'compromised') return known;
  refuseReadOnly(trust);
  return credentialCache.lists.load(listSeq, () => signList(trust, listSeq));
}

async function signList(trust: StatusListContext, listSeq: number): Promise<SignedText> {
  const { store, clock, credentialCache } = trust;
  const { list, mark } = await store.read(async (snapshot) => ({
    list: await statusListBy(snapshot, listSeq),
    mark: await readAuthorityMark(snapshot),
  }));
  if (list === null) {
    throw commonErrors.not_found({
      message: 'No status list has this number. Use the statusListCredential of a credential.',
    });
  }
  const key = keyOf(trust, list.keySeq);
  refuseEnded(list, key, clock.now());
  const known = credentialCache.bits.get(listSeq);
  const { bits } =
    known?.mark === mark
      ? known
      : await credentialCache.bits.load(listSeq, async () => ({
          bits: await revokedBits(trust, listSeq),
          mark,
        }));
  const now = statementTime(trust);
  const url = statusListUrl(trust, listSeq);
  const document = signCredential(trust, key, {
    id: url,
    type: 'BitstringStatusListCredential',
    contexts: [],
    validFrom: timestampOf(now),
    validUntil: timestampOf(now + VALIDITY_MS),
    description: null,
    status: null,
    subject: {
      id: `${url}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: encodeBitstring(bits, gzipSync),
      ttl: STATUS_TTL_MS,
    },
  });
  const json = JSON.stringify(document);
  const etag = `"${sha256Hex(json).slice(0, 32)}"`;
  return { json, etag, from: now, until: now + STATUS_TTL_MS, keySeq: key.keySeq };
}

/** Reads the revoked entries in parts, so that other requests are served between them. */
async function revokedBits({ store }: { store: Store }, listSeq: number): Promise<Uint8Array> {
  const bits = new Uint8Array(LIST_BYTES);
  for (let from = 0; from < LIST_ENTRIES; from += ENTRIES_READ) {
    const entries = await store.read((snapshot) =>
      revokedEntries(snapshot, { listSeq, from, to: from + ENTRIES_READ }),
    );
    for (const index of entries) setBit(bits, index);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return bits;
}

/** @throws ApiError status_list_ended */
function refuseEnded({ validUntil }: StatusListRow, { status }: SigningKey, now: number): void {
  if (status === 'compromised') {
    throw credentialsErrors.status_list_ended({
      message:
        'The key of this status list was reported as compromised, and nothing that it signed counts. Get a new credential of the agent.',
    });
  }
  if (status === 'active' || now < Date.parse(validUntil)) return;
  throw credentialsErrors.status_list_ended({
    message: `The last credential of this status list ended at ${validUntil}. Get a new credential of the agent.`,
  });
}

function keyOf({ signer }: { signer: Signer }, keySeq: number): SigningKey {
  const key = signer.all().find((known) => known.keySeq === keySeq);
  if (key === undefined) throw new Error(`the key ${keySeq} of a status list does not exist`);
  return key;
}
